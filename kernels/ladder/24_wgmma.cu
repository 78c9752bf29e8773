// 24 wgmma: a warpgroup multiplies what lies in shared memory
// Idea   four warps multiply 64 rows by one instruction, which reads A and B from
//        shared memory itself: no lane loads a fragment. The TMA copies the tiles
// Watch  one thread asks for boxes, dashed until they land; a descriptor says where a
//        tile lies. What wgmma reads is modelled: no GPU counts it
// Next   25 warp_specialised: a warp that only copies
// Source PTX ISA 9.0, wgmma, "Matrix Descriptor", "Swizzling Modes"; CUDA Driver API,
//        Tensor Map Object Management
// [launch]
// built = {TILE = [64, 128]}
// multiples = {M = "TILE", N = "TILE", K = 64}
// shared = [["As", 3, "TILE", 64], ["Bs", 3, {64 = 1, 128 = 2}, 64, 64]]
// compute_capability = "9.0a"

// block  TILE x TILE of C, one warpgroup: TM products, one above the other, of 64 rows
// stages STAGES is 3: one is filled again when the products that read it are complete
//            TMA    fill 0  fill 1         fill 2        fill 0
//            warps          multiply 0 ..  multiply 1 .. multiply 2 ..
//        The products of a stage run while those of the next are started
// As     a row has 64 k, 128 bytes: piece p of 16 bytes lies at p ^ row % 8
// Bs     panels of 64 columns, 128 bytes a row; k is the row: piece p lies at p ^ k % 8
#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/ptx>

#include "tensor.h"
#include "tensor_map_host.h"

template <int TILE>
struct WgmmaTile {
    static constexpr int BM = TILE, BN = TILE;  // of C, a block's
    static constexpr int BK = 64;  // depth of a box
    static constexpr int STAGES = 3;
    static constexpr int TM = BM / 64;  // products
    static constexpr int PANELS = BN / 64;  // of B
    static constexpr int A_ELEMENTS = BM * BK;  // of a stage
    static constexpr int B_ELEMENTS = BK * BN;
    static constexpr int BYTES = (A_ELEMENTS + B_ELEMENTS) * sizeof(__nv_bfloat16);
};

template <int TILE>
__global__ void __launch_bounds__(128) wgmma(
    const __grid_constant__ CUtensorMap A,  // M x K
    const __grid_constant__ CUtensorMap B,  // K x N
    float* __restrict__ C,                  // M x N
    int M, int N, int K) {
    namespace ptx = cuda::ptx;
    using Tile = WgmmaTile<TILE>;
    constexpr int BM = Tile::BM, BN = Tile::BN;
    constexpr int BK = Tile::BK;
    constexpr int STAGES = Tile::STAGES;
    constexpr int TM = Tile::TM;
    constexpr int PANELS = Tile::PANELS;
    constexpr int GROUP = 16;  // rows of blocks that run together
    extern __shared__ __align__(1024) __nv_bfloat16 boxes[];
    __nv_bfloat16* const As = boxes;  // stage, row, k
    __nv_bfloat16* const Bs = As + STAGES * Tile::A_ELEMENTS;  // stage, panel, k, col
    __shared__ uint64_t full[STAGES];
    // Blocks in groups of GROUP rows, column by column.
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int group = block / (GROUP * gridDim.x) * GROUP;  // its first row of blocks
    const int rows = min(GROUP, static_cast<int>(gridDim.y) - group);
    const int within = block - group * gridDim.x;
    const int row0 = (group + within % rows) * BM;  // of C, the block's first
    const int col0 = within / rows * BN;
    const int phases = K / BK;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    // One thread does. Inline, so that the lanes meet again behind it.
    const auto start_copies = [&](int phase,
                                  int stage) __attribute__((always_inline)) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &full[stage], Tile::BYTES);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                  As + stage * Tile::A_ELEMENTS, &A,
                                  {phase * BK, row0}, &full[stage]);
        for (int panel = 0; panel < PANELS; ++panel)
            ptx::cp_async_bulk_tensor(
                ptx::space_cluster, ptx::space_global,
                Bs + stage * Tile::B_ELEMENTS + panel * BK * 64, &B,
                {col0 + panel * 64, phase * BK}, &full[stage]);
    };
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage)
            ptx::mbarrier_init(&full[stage], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        for (int stage = 0; stage < STAGES - 1 && stage < phases; ++stage)
            start_copies(stage, stage);
    }
    __syncthreads();  // barriers initialised

    float sum[TM][BN / 2];  // 64 rows each: a lane's elements
    int use = 0, parity = 0, refill = STAGES - 1;  // refill: the stage read before
    for (int phase = 0; phase < phases; ++phase) {
        while (!ptx::mbarrier_try_wait_parity(&full[use], parity)) {
        }
        const __nv_bfloat16* const a = As + use * Tile::A_ELEMENTS;
        const __nv_bfloat16* const b = Bs + use * Tile::B_ELEMENTS;
        wgmma_fence();
#pragma unroll
        for (int k = 0; k < BK; k += 16)
#pragma unroll
            for (int i = 0; i < TM; ++i) {
                const uint64_t tile_a = tile_at(a + i * 64 * BK + k);
                const uint64_t tile_b = tile_at(b + k * 64, BK * 128);
                if constexpr (BN == 64)
                    wgmma_64x64x16(sum[i], tile_a, tile_b, phase + k);
                else
                    wgmma_64x128x16(sum[i], tile_a, tile_b, phase + k);
            }
        wgmma_commit();
        wgmma_wait(1);  // the products of the phase before are complete
        __syncthreads();  // for all warps: the stage that they read is free
        if (threadIdx.x == 0 && phase + STAGES - 1 < phases)
            start_copies(phase + STAGES - 1, refill);
        refill = use;
        if (++use == STAGES) use = 0, parity ^= 1;
    }
    wgmma_wait(0);
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < BN / 8; ++j) {
            const int row = row0 + 64 * i + 16 * warp + lane / 4;  // and row + 8
            const int col = col0 + 8 * j + lane % 4 * 2;  // and col + 1
            const float2 upper = {sum[i][4 * j], sum[i][4 * j + 1]};
            const float2 lower = {sum[i][4 * j + 2], sum[i][4 * j + 3]};
            *reinterpret_cast<float2*>(&C[row * N + col]) = upper;
            *reinterpret_cast<float2*>(&C[(row + 8) * N + col]) = lower;
        }
}

// A matrix of bfloat16, and the box that a copy takes of it: rows of 64 elements
inline CUtensorMap wgmma_map(const __nv_bfloat16* matrix, int rows, int columns,
                             int box_rows) {
    return tensor_map_of(matrix, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, rows, columns,
                         columns, box_rows, 64, CU_TENSOR_MAP_SWIZZLE_128B);
}

template <int TILE>
void launch_wgmma(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C, int M,
                  int N, int K) {
    using Tile = WgmmaTile<TILE>;
    const CUtensorMap map_a = wgmma_map(A, M, K, Tile::BM);
    const CUtensorMap map_b = wgmma_map(B, K, N, Tile::BK);
    const int bytes = Tile::STAGES * Tile::BYTES;
    const dim3 grid(N / Tile::BN, M / Tile::BM);
    cudaFuncSetAttribute(wgmma<TILE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         bytes);
    wgmma<TILE><<<grid, 128, bytes>>>(map_a, map_b, C, M, N, K);
}
