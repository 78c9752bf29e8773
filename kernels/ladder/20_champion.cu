// 20 champion: ahead of cuBLAS, in plain FP32
// Idea   keep the FMA pipe fed: the Tensor Memory
//        Accelerator (TMA) copies boxes of A and
//        B, threads only multiply
// Watch  one thread asks for a whole tile: dashed
//        cells. It lands where the first warp waits
//        for its phase. One 16-byte read brings 4 k
//        of a row, from different banks
// Next   nothing: compare it with 02 naive
// Source PTX ISA 9.0, mbarrier, bulk copies; CUDA
//        Driver API, Tensor Map Object Management
// Needs  compute capability 9.0; any M, N, K;
//        offsets of 64 bits
// Built  TILE 16, 32, 256

// block  a tile of C, ROWS x COLS: TILE 256 is
//        256 x 128, else TILE x TILE
// warp   8 x 4 lanes; lane l is in row l / 2 % 8 and
//        column l % 2 + l / 16 * 2, so that lanes
//        l, l^1 read one piece of A and l, l^2 one
//        of B: 2 wavefronts, not 4
// lane   TM x TN elements: rows 8 apart, columns in
//        pieces of 4 that are 4 pieces apart
// stage  a box of A, ROWS x DEPTH, and one of B,
//        DEPTH x COLS. A barrier `full` counts its
//        bytes; `empty` the warps that have read it
// The TMA swizzles the 16-byte pieces of A: 8 rows
// that are read at once lie in different banks.
// A race of 20 without a TILE chooses among more tiles
// and cuts those of the last wave along K (stream-K).
#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/ptx>

template <int TILE>
struct ChampionTile {
    static constexpr bool LARGE = TILE == 256;
    static constexpr int ROWS = TILE;
    static constexpr int COLS = LARGE ? 128 : TILE;
    static constexpr int DEPTH = LARGE ? 32 : 8;  // k
    static constexpr int STAGES = LARGE ? 4 : 3;
    static constexpr int TM = LARGE ? 8 : 2;
    static constexpr int TN = LARGE ? 16 : 4;
    static constexpr int ACROSS = COLS / (4 * TN);
    static constexpr int WARPS = ROWS / (8 * TM) * ACROSS;
    static constexpr int A_FLOATS = ROWS * DEPTH;
    static constexpr int B_FLOATS = DEPTH * COLS;
    static constexpr int BYTES =  // of a stage
        (A_FLOATS + B_FLOATS) * sizeof(float);
};

template <int TILE>
__global__ void __launch_bounds__(
    32 * ChampionTile<TILE>::WARPS, 1)
    champion(
        const __grid_constant__ CUtensorMap A,  // M x K
        const __grid_constant__ CUtensorMap B,  // K x N
        float* __restrict__ C,                  // M x N
        int M, int N, int K, float alpha) {
    namespace ptx = cuda::ptx;
    using Tile = ChampionTile<TILE>;
    constexpr int ROWS = Tile::ROWS, COLS = Tile::COLS;
    constexpr int DEPTH = Tile::DEPTH;
    constexpr int STAGES = Tile::STAGES;
    constexpr int TM = Tile::TM, TN = Tile::TN;
    constexpr int WARPS = Tile::WARPS;
    constexpr int A_STAGE = Tile::A_FLOATS;
    constexpr int B_STAGE = Tile::B_FLOATS;
    extern __shared__ __align__(1024) float boxes[];
    float* const As = boxes;  // stage, row, k
    float* const Bs = boxes + STAGES * A_STAGE;
    __shared__ uint64_t full[STAGES];
    __shared__ uint64_t empty[STAGES];
    // Tiles go down 8 rows of tiles, then to the next
    // column: neighbours share A and B in the L2
    const int down = (M + ROWS - 1) / ROWS;
    const int across = (N + COLS - 1) / COLS;
    const int tile = blockIdx.x;
    const int band = tile / (8 * across);
    const int in_band = tile - band * 8 * across;
    const int band_rows = min(8, down - band * 8);
    const int row0 =
        (band * 8 + in_band % band_rows) * ROWS;
    const int col0 = in_band / band_rows * COLS;
    const int stages = (K + DEPTH - 1) / DEPTH;

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int y = lane / 2 % 8;
    const int x = lane % 2 + lane / 16 * 2;
    const int warp_row = warp / Tile::ACROSS * (8 * TM);
    const int warp_col = warp % Tile::ACROSS * (4 * TN);

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], WARPS);
        }
        ptx::fence_mbarrier_init(ptx::sem_release,
                                 ptx::scope_cluster);
        for (int i = 0; i < STAGES && i < stages; ++i) {
            const int k0 = i * DEPTH;
            ptx::mbarrier_arrive_expect_tx(
                ptx::sem_release, ptx::scope_cta,
                ptx::space_shared, &full[i], Tile::BYTES);
            ptx::cp_async_bulk_tensor(
                ptx::space_cluster, ptx::space_global,
                As + i * A_STAGE, &A, {k0, row0}, &full[i]);
            ptx::cp_async_bulk_tensor(
                ptx::space_cluster, ptx::space_global,
                Bs + i * B_STAGE, &B, {col0, k0}, &full[i]);
        }
    }
    __syncthreads();  // barriers initialised

    float sum[TM][TN] = {};
    alignas(16) float a[TM][4];   // row, k
    alignas(16) float b[2][TN];  // this k and the next
    // Where the engine puts a row's pieces of 4: PTX
    // ISA, "Swizzling modes"
    const int swizzle = DEPTH == 32 ? y * 4 : y / 4 * 4;
    const auto four_of_a = [=](const float* from, int r,
                               int piece) {
        const int at = r * 8 * DEPTH + (piece * 4 ^ swizzle);
        return *(const float4*)&from[at];
    };
    const auto four_of_b = [](const float* from, int c) {
        return *(const float4*)&from[c * 4];
    };
    const float* const a0 = As + (warp_row + y) * DEPTH;
    const float* const b0 = Bs + warp_col + x * 4;

    while (!ptx::mbarrier_try_wait_parity(&full[0], 0)) {
    }
#pragma unroll
    for (int r = 0; r < TM; ++r)
        *(float4*)a[r] = four_of_a(a0, r, 0);
#pragma unroll
    for (int c = 0; c < TN; c += 4)
        *(float4*)&b[0][c] = four_of_b(b0, c);
    const float *a_now = a0, *b_now = b0;
    int slot = 0, parity = 0, done = 0, piece = 0;
#pragma unroll 1
    do {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const float* next_b = b_now + (k + 1) * COLS;
            int next_piece = piece + k / 4 + 1;
            if (k == 7) {
                piece += 2;
                b_now += 8 * COLS;
                if (piece == DEPTH / 4) {  // next stage
                    __syncwarp();  // lanes have read it
                    if (lane == 0)
                        ptx::mbarrier_arrive(&empty[slot]);
                    // The warps take turns: one asks to
                    // fill the stage that was read before
                    const int old =
                        slot == 0 ? STAGES - 1 : slot - 1;
                    const int old_parity =
                        slot == 0 ? parity ^ 1 : parity;
                    const int next = done - 1 + STAGES;
                    if (lane == 0 && done > 0 &&
                        warp == (done & (WARPS - 1)) &&
                        next < stages) {
                        const int k0 = next * DEPTH;
                        while (!ptx::mbarrier_try_wait_parity(
                            &empty[old], old_parity)) {
                        }  // all warps have read it
                        ptx::mbarrier_arrive_expect_tx(
                            ptx::sem_release, ptx::scope_cta,
                            ptx::space_shared, &full[old],
                            Tile::BYTES);
                        ptx::cp_async_bulk_tensor(
                            ptx::space_cluster,
                            ptx::space_global,
                            As + old * A_STAGE, &A,
                            {k0, row0}, &full[old]);
                        ptx::cp_async_bulk_tensor(
                            ptx::space_cluster,
                            ptx::space_global,
                            Bs + old * B_STAGE, &B,
                            {col0, k0}, &full[old]);
                    }
                    ++done;
                    // After the last stage these reads are
                    // not needed, but they cost less than a
                    // check before each of them
                    if (done < stages && ++slot == STAGES)
                        slot = 0, parity ^= 1;
                    a_now = a0 + slot * A_STAGE;
                    b_now = b0 + slot * B_STAGE;
                    piece = 0;
                    while (done < stages &&
                           !ptx::mbarrier_try_wait_parity(
                               &full[slot], parity)) {
                    }
                }
                next_b = b_now;
                next_piece = piece;
            }
            // Does nothing here, but ptxas moves nothing
            // across it: it must not mix the k
            if (k % 4 > 0)
                cudaTriggerProgrammaticLaunchCompletion();
#pragma unroll
            for (int c = 0; c < TN; c += 4)
                *(float4*)&b[(k + 1) % 2][c] =
                    four_of_b(next_b, c);
#pragma unroll
            for (int r = 0; r < TM; ++r) {
#pragma unroll
                for (int n = 0; n < TN; ++n) {
                    // Serpentine: each FMA shares a or b
                    // with the one before
                    const int c =
                        r % 2 == 0 ? n : TN - 1 - n;
                    sum[r][c] += a[r][k % 4] * b[k % 2][c];
                }
                if (k % 4 == 3)
                    *(float4*)a[r] =
                        four_of_a(a_now, r, next_piece);
            }
        }
    } while (done < stages);

#pragma unroll
    for (int r = 0; r < TM; ++r) {
        const int row = row0 + warp_row + y + r * 8;
        if (row >= M) break;
#pragma unroll
        for (int c = 0; c < TN; c += 4) {
            const int col = col0 + warp_col + x * 4 + c * 4;
            const int left = N - col;
            const float* s = &sum[r][c];
            // v: 4 registers in a row for a 16-byte store,
            // so sum[] may lie in any registers
            const float4 v =
                make_float4(alpha * s[0], alpha * s[1],
                            alpha * s[2], alpha * s[3]);
            float* to = C + (size_t(row) * N + col);
            if (N % 4 == 0) {  // a row begins at 16 bytes
                if (left > 0) *(float4*)to = v;
                continue;
            }
            if (left > 0) to[0] = v.x;
            if (left > 1) to[1] = v.y;
            if (left > 2) to[2] = v.z;
            if (left > 3) to[3] = v.w;
        }
    }
}

// The engine requires rows that begin at multiples of
// 16 bytes
inline int champion_pitch(int columns) {
    return (columns + 3) / 4 * 4;
}

// A matrix, and the box that a copy takes of it
inline CUtensorMap champion_map(
    const float* matrix, int rows, int columns,
    int box_rows, int box_columns,
    CUtensorMapSwizzle swizzle) {
    void* encode = nullptr;  // a function of the driver
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", &encode, 12000,
        cudaEnableDefault, &found);
    CUtensorMap map{};
    const cuuint64_t extents[] = {cuuint64_t(columns),
                                  cuuint64_t(rows)};
    const cuuint64_t strides[] = {
        cuuint64_t(champion_pitch(columns)) * sizeof(float)};
    const cuuint32_t box[] = {cuuint32_t(box_columns),
                              cuuint32_t(box_rows)};
    const cuuint32_t steps[] = {1, 1};
    if (encode != nullptr)
        ((decltype(&cuTensorMapEncodeTiled))encode)(
            &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2,
            (void*)matrix, extents, strides, box, steps,
            CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

// The matrix itself if its pitch is right; else a
// copy, which the caller frees
inline const float* champion_rows(const float* matrix,
                                  int rows, int columns) {
    const int pitch = champion_pitch(columns);
    if (pitch == columns) return matrix;
    float* copy = nullptr;
    cudaMalloc(&copy, sizeof(float) * rows * pitch);
    cudaMemcpy2D(copy, sizeof(float) * pitch, matrix,
                 sizeof(float) * columns,
                 sizeof(float) * columns, rows,
                 cudaMemcpyDeviceToDevice);
    return copy;
}

template <int TILE>
void launch_champion(const float* A, const float* B,
                     float* C, int M, int N, int K) {
    using Tile = ChampionTile<TILE>;
    const float* rows_a = champion_rows(A, M, K);
    const float* rows_b = champion_rows(B, K, N);
    const CUtensorMap map_a = champion_map(
        rows_a, M, K, Tile::ROWS, Tile::DEPTH,
        Tile::DEPTH == 32 ? CU_TENSOR_MAP_SWIZZLE_128B
                          : CU_TENSOR_MAP_SWIZZLE_32B);
    const CUtensorMap map_b =
        champion_map(rows_b, K, N, Tile::DEPTH, Tile::COLS,
                     CU_TENSOR_MAP_SWIZZLE_NONE);
    const int grid = (M + Tile::ROWS - 1) / Tile::ROWS *
                     ((N + Tile::COLS - 1) / Tile::COLS);
    const int bytes = Tile::STAGES * Tile::BYTES;
    cudaFuncSetAttribute(
        champion<TILE>,
        cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    champion<TILE><<<grid, 32 * Tile::WARPS, bytes>>>(
        map_a, map_b, C, M, N, K, 1.0f);
    if (rows_a != A) cudaFree((void*)rows_a);
    if (rows_b != B) cudaFree((void*)rows_b);
}
