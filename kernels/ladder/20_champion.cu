// 20 champion: ahead of cuBLAS, in plain FP32
// Idea   keep the FMA pipe fed: the Tensor Memory Accelerator (TMA) copies boxes of A
//        and B, threads only multiply
// Watch  one thread asks for a whole tile: dashed cells. It lands where the first warp
//        waits for its phase. One 16-byte read brings 4 k of a row, from different
//        banks
// Next   21 wmma: BF16, by tensor cores. Compare 20 with 02 naive
// Source PTX ISA 9.0, mbarrier, bulk copies; CUDA Driver API, Tensor Map Object
//        Management
// [launch]
// built = {TILE = [16, 32, 256]}
// tile_columns = {256 = 128}
// compute_capability = "9.0"
// offset_bits = 64

// block  BM x BN of C: TILE 256 is 256 x 128, else TILE x TILE; warps of WM x WN,
//        WARP_COLS side by side
// warp   8 x 4 lanes
//                 0  1  2  3   lane_col
//            0    0  1 16 17
//            1    2  3 18 19   lanes l and l ^ 1 read one piece of A, and l and l ^ 2
//            2    4  5 20 21   one of B: a read takes 2 wavefronts, not 4
//           ...
//            7   14 15 30 31
//            lane_row
// lane   TM x TN sums: rows 8 apart, columns in pieces of 4 that are 4 pieces apart
// stage  a box of A, BM x BK, and one of B, BK x BN. A barrier `full` counts its bytes;
//        `empty` the warps that have read it:
//            TMA    fill 0  fill 1  fill 2  fill 3  fill 0 when `empty` 0 is complete
//            warps          read 0  read 1  read 2  read 3  read 0
//        The TMA swizzles the 16-byte pieces of A: 8 rows that are read at once lie in
//        different banks
// A race of 20 without a TILE chooses among more tiles and cuts those of the last wave
// along K (stream-K).
#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/ptx>

#include "load4.h"
#include "tensor_map_host.h"

template <int TILE>
struct ChampionTile {
    static constexpr bool LARGE = TILE == 256;
    static constexpr int BM = TILE, BN = LARGE ? 128 : TILE;  // of C, a block's
    static constexpr int BK = LARGE ? 32 : 8;  // depth of a box
    static constexpr int STAGES = LARGE ? 4 : 3;
    static constexpr int TM = LARGE ? 8 : 2;  // of C, a thread's
    static constexpr int TN = LARGE ? 16 : 4;
    static constexpr int WM = 8 * TM, WN = 4 * TN;  // of C, a warp's
    static constexpr int WARP_COLS = BN / WN;  // warps side by side
    static constexpr int WARPS = BM / WM * WARP_COLS;
    static constexpr int A_FLOATS = BM * BK;  // of a box
    static constexpr int B_FLOATS = BK * BN;
    static constexpr int BYTES = (A_FLOATS + B_FLOATS) * sizeof(float);  // of a stage
};

template <int TILE>
__global__ void __launch_bounds__(32 * ChampionTile<TILE>::WARPS, 1) champion(
    const __grid_constant__ CUtensorMap A,  // M x K
    const __grid_constant__ CUtensorMap B,  // K x N
    float* __restrict__ C,                  // M x N
    int M, int N, int K, float alpha) {
    namespace ptx = cuda::ptx;
    using Tile = ChampionTile<TILE>;
    constexpr int BM = Tile::BM, BN = Tile::BN;
    constexpr int BK = Tile::BK;
    constexpr int STAGES = Tile::STAGES;
    constexpr int TM = Tile::TM, TN = Tile::TN;
    constexpr int WM = Tile::WM, WN = Tile::WN;
    constexpr int WARPS = Tile::WARPS;
    constexpr int A_FLOATS = Tile::A_FLOATS;
    constexpr int B_FLOATS = Tile::B_FLOATS;
    extern __shared__ __align__(1024) float boxes[];
    float* const As = boxes;  // stage, row, k
    float* const Bs = boxes + STAGES * A_FLOATS;  // stage, k, col
    __shared__ uint64_t full[STAGES];
    __shared__ uint64_t empty[STAGES];
    // Tiles go down 8 rows of tiles, then to the next column: neighbours share A and B
    // in the L2
    const int tile_rows = (M + BM - 1) / BM;
    const int tile_cols = (N + BN - 1) / BN;
    const int tile = blockIdx.x;
    const int band = tile / (8 * tile_cols);  // of 8 rows of tiles
    const int in_band = tile - band * 8 * tile_cols;
    const int band_rows = min(8, tile_rows - band * 8);
    const int row0 = (band * 8 + in_band % band_rows) * BM;  // of C, the block's first
    const int col0 = in_band / band_rows * BN;
    const int stages = (K + BK - 1) / BK;

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int lane_row = lane / 2 % 8;  // 0..7
    const int lane_col = lane % 2 + lane / 16 * 2;  // 0..3
    const int warp_row = warp / Tile::WARP_COLS * WM;  // the warp's first row and
    const int warp_col = warp % Tile::WARP_COLS * WN;  // column of the block's tile

    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            ptx::mbarrier_init(&full[stage], 1);
            ptx::mbarrier_init(&empty[stage], WARPS);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        for (int stage = 0; stage < STAGES && stage < stages; ++stage) {
            const int k0 = stage * BK;
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                           ptx::space_shared, &full[stage],
                                           Tile::BYTES);
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                      As + stage * A_FLOATS, &A, {k0, row0},
                                      &full[stage]);
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                      Bs + stage * B_FLOATS, &B, {col0, k0},
                                      &full[stage]);
        }
    }
    __syncthreads();  // barriers initialised

    float sum[TM][TN] = {};  // rows 8 apart, pieces of 4 columns 16 columns apart
    alignas(16) float a[TM][4];  // row, k
    alignas(16) float b[2][TN];  // this k and the next
    // Where the TMA puts a row's pieces of 4: PTX ISA, "Swizzling modes"
    const int swizzle = BK == 32 ? lane_row * 4 : lane_row / 4 * 4;
    const auto four_of_a = [=](const float* from, int r, int piece) {
        return load4(&from[r * 8 * BK + (piece * 4 ^ swizzle)], 0);
    };
    const auto four_of_b = [](const float* from, int c) {
        return load4(from, c);
    };
    const float* const a0 = As + (warp_row + lane_row) * BK;
    const float* const b0 = Bs + warp_col + lane_col * 4;

    while (!ptx::mbarrier_try_wait_parity(&full[0], 0)) {
    }
#pragma unroll
    for (int r = 0; r < TM; ++r) store4(a[r], 0, four_of_a(a0, r, 0));
#pragma unroll
    for (int c = 0; c < TN; c += 4) store4(b[0], c / 4, four_of_b(b0, c));
    const float *a_now = a0, *b_now = b0;
    int slot = 0, parity = 0, done = 0, piece = 0;
#pragma unroll 1
    do {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const float* next_b = b_now + (k + 1) * BN;
            int next_piece = piece + k / 4 + 1;
            if (k == 7) {
                piece += 2;
                b_now += 8 * BN;
                if (piece == BK / 4) {  // next stage
                    __syncwarp();  // lanes have read it
                    if (lane == 0) ptx::mbarrier_arrive(&empty[slot]);
                    // The warps take turns: one asks to fill the stage that was read
                    // before
                    const int old = slot == 0 ? STAGES - 1 : slot - 1;
                    const int old_parity = slot == 0 ? parity ^ 1 : parity;
                    const int next = done - 1 + STAGES;
                    if (lane == 0 && done > 0 && warp == (done & (WARPS - 1)) &&
                        next < stages) {
                        const int k0 = next * BK;
                        while (!ptx::mbarrier_try_wait_parity(&empty[old],
                                                              old_parity)) {
                        }  // all warps have read it
                        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                                       ptx::space_shared, &full[old],
                                                       Tile::BYTES);
                        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                                  As + old * A_FLOATS, &A, {k0, row0},
                                                  &full[old]);
                        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                                  Bs + old * B_FLOATS, &B, {col0, k0},
                                                  &full[old]);
                    }
                    ++done;
                    // After the last stage these reads are not needed, but they cost
                    // less than a check before each of them
                    if (done < stages && ++slot == STAGES) slot = 0, parity ^= 1;
                    a_now = a0 + slot * A_FLOATS;
                    b_now = b0 + slot * B_FLOATS;
                    piece = 0;
                    while (done < stages &&
                           !ptx::mbarrier_try_wait_parity(&full[slot], parity)) {
                    }
                }
                next_b = b_now;
                next_piece = piece;
            }
            // Does nothing here, but ptxas moves nothing across it: it must not mix the
            // k
            if (k % 4 > 0) cudaTriggerProgrammaticLaunchCompletion();
#pragma unroll
            for (int c = 0; c < TN; c += 4)
                store4(b[(k + 1) % 2], c / 4, four_of_b(next_b, c));
#pragma unroll
            for (int r = 0; r < TM; ++r) {
#pragma unroll
                for (int n = 0; n < TN; ++n) {
                    // Serpentine: each FMA shares a or b with the one before
                    const int c = r % 2 == 0 ? n : TN - 1 - n;
                    sum[r][c] += a[r][k % 4] * b[k % 2][c];
                }
                if (k % 4 == 3) store4(a[r], 0, four_of_a(a_now, r, next_piece));
            }
        }
    } while (done < stages);

#pragma unroll
    for (int r = 0; r < TM; ++r) {
        const int row = row0 + warp_row + lane_row + r * 8;  // of C
        if (row >= M) break;
#pragma unroll
        for (int c = 0; c < TN; c += 4) {
            const int col = col0 + warp_col + lane_col * 4 + c * 4;
            const int left = N - col;
            const float* sums = &sum[r][c];
            // 4 registers in a row for a 16-byte store, so that sum[] may lie in any
            // registers
            const float4 four = make_float4(alpha * sums[0], alpha * sums[1],
                                            alpha * sums[2], alpha * sums[3]);
            float* to = C + (size_t(row) * N + col);
            if (N % 4 == 0) {  // a row begins at 16 bytes
                if (left > 0) store4(to, 0, four);
                continue;
            }
            if (left > 0) to[0] = four.x;
            if (left > 1) to[1] = four.y;
            if (left > 2) to[2] = four.z;
            if (left > 3) to[3] = four.w;
        }
    }
}

// The TMA requires rows that begin at multiples of 16 bytes
inline int champion_pitch(int columns) {
    return (columns + 3) / 4 * 4;
}

// A matrix of floats, and the box that a copy takes of it
inline CUtensorMap champion_map(const float* matrix, int rows, int columns,
                                int box_rows, int box_columns,
                                CUtensorMapSwizzle swizzle) {
    return tensor_map_of(matrix, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, sizeof(float), rows,
                         columns, champion_pitch(columns), box_rows, box_columns,
                         swizzle);
}

// The matrix itself if its pitch is right; else a copy, which the caller frees
inline const float* champion_rows(const float* matrix, int rows, int columns) {
    const int pitch = champion_pitch(columns);
    if (pitch == columns) return matrix;
    float* copy = nullptr;
    cudaMalloc(&copy, sizeof(float) * rows * pitch);
    cudaMemcpy2D(copy, sizeof(float) * pitch, matrix, sizeof(float) * columns,
                 sizeof(float) * columns, rows, cudaMemcpyDeviceToDevice);
    return copy;
}

template <int TILE>
void launch_champion(const float* A, const float* B, float* C, int M, int N, int K) {
    using Tile = ChampionTile<TILE>;
    const float* rows_a = champion_rows(A, M, K);
    const float* rows_b = champion_rows(B, K, N);
    const CUtensorMap map_a =
        champion_map(rows_a, M, K, Tile::BM, Tile::BK,
                     Tile::BK == 32 ? CU_TENSOR_MAP_SWIZZLE_128B
                                    : CU_TENSOR_MAP_SWIZZLE_32B);
    const CUtensorMap map_b = champion_map(rows_b, K, N, Tile::BK, Tile::BN,
                                           CU_TENSOR_MAP_SWIZZLE_NONE);
    const int tile_rows = (M + Tile::BM - 1) / Tile::BM;
    const int tile_cols = (N + Tile::BN - 1) / Tile::BN;
    const int bytes = Tile::STAGES * Tile::BYTES;
    cudaFuncSetAttribute(champion<TILE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         bytes);
    champion<TILE><<<tile_rows * tile_cols, 32 * Tile::WARPS, bytes>>>(
        map_a, map_b, C, M, N, K, 1.0f);
    if (rows_a != A) cudaFree((void*)rows_a);
    if (rows_b != B) cudaFree((void*)rows_b);
}
