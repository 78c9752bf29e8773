// 25 warp_specialised: some warps copy, others multiply
// Idea   a producer warp keeps the stages filled; two warpgroups of consumers only
//        multiply. Two blocks, a cluster, share the boxes of B, and a block begins the
//        next tile while the TMA stores this one
// Watch  the barriers `full` and `empty`: the producer waits for the consumers of both
//        blocks, the consumers wait for bytes
// Next   compare it with 24 wgmma
// Source PTX ISA 9.0, cp.async.bulk.tensor, mapa, mbarrier.arrive; "CUDA C++
//        Programming Guide", Thread Block Clusters
// [launch]
// built = {TILE = [64, 256]}
// takes = {TILE = [64, 128, 256], why_TILE = "tensor.h has such products"}
// multiples = {M = 256, N = "TILE", K = 64}
// tile_rows = {64 = 128, 128 = 128, 256 = 128}
// shared = [["As", 4, 128, 64], ["Bs", 4, {64 = 1, 128 = 2, 256 = 4}, 64, 64],
//           ["Cs", 2, 2, 64, 32, "float"]]
// compute_capability = "9.0a"

// block  BM x BN of C, 128 x TILE: 8 warps that multiply, 64 rows a warpgroup, and a
//        ninth that copies
// cluster  two blocks, one above the other, which need the same boxes of B
//            block 0  copies its rows of A, and boxes 0, 2 of B to both
//            block 1  copies its rows of A, and boxes 1, 3 of B to both
// stages STAGES is 4
//          producer   fill 0  fill 1  fill 2  fill 3  fill 0 when `empty` 0 is complete
//          consumers          read 0  read 1  read 2  read 3
// Cs     32 columns of 64 rows, two for each warpgroup: one is stored, one written
#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/ptx>

#include "tensor.h"
#include "tensor_map_host.h"

template <int TILE>
struct SpecialisedTile {
    static constexpr int CONSUMERS = 2;  // warpgroups, 64 rows each
    static constexpr int BM = 64 * CONSUMERS, BN = TILE;  // of C, a block's
    static constexpr int BK = 64;  // depth of a box
    static constexpr int STAGES = 4;
    static constexpr int BOXES = BN == 64 ? 2 : BN / 64;  // of B, 64 columns wide
    static constexpr int BOX_ROWS = BK * BN / 64 / BOXES;
    static constexpr int THREADS = 128 * CONSUMERS + 32;
    static constexpr int A_ELEMENTS = BM * BK;  // of a stage
    static constexpr int B_ELEMENTS = BK * BN;
    static constexpr int C_ELEMENTS = 64 * 32;  // of a buffer of Cs
    static constexpr int STAGE_BYTES = (A_ELEMENTS + B_ELEMENTS) * 2;
    static constexpr int BYTES = STAGES * STAGE_BYTES + 4 * CONSUMERS * 2 * C_ELEMENTS;
};

template <int TILE>
__global__ void __cluster_dims__(2, 1, 1)
    __launch_bounds__(SpecialisedTile<TILE>::THREADS, 1) warp_specialised(
        const __grid_constant__ CUtensorMap A,  // M x K
        const __grid_constant__ CUtensorMap B,  // K x N
        const __grid_constant__ CUtensorMap C,  // M x N
        int M, int N, int K) {
    namespace ptx = cuda::ptx;
    using Tile = SpecialisedTile<TILE>;
    constexpr int BM = Tile::BM, BN = Tile::BN;
    constexpr int BK = Tile::BK;
    constexpr int STAGES = Tile::STAGES;
    constexpr int CONSUMERS = Tile::CONSUMERS;
    constexpr int C_ELEMENTS = Tile::C_ELEMENTS;
    constexpr int GROUP = 8;  // pairs of rows of tiles that are computed together
    extern __shared__ __align__(1024) __nv_bfloat16 boxes[];
    __nv_bfloat16* const As = boxes;  // stage, row, k
    __nv_bfloat16* const Bs = As + STAGES * Tile::A_ELEMENTS;  // stage, panel, k, col
    float* const Cs = reinterpret_cast<float*>(Bs + STAGES * Tile::B_ELEMENTS);
    __shared__ uint64_t full[STAGES];   // the bytes of a stage are there
    __shared__ uint64_t empty[STAGES];  // the consumers of both blocks have read it
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int rank = blockIdx.x % 2;  // of the block in its cluster
    const int clusters = gridDim.x / 2;
    const int pairs = M / BM / 2;  // of rows of tiles
    const int columns = N / BN;  // of tiles
    const int phases = K / BK;

    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            ptx::mbarrier_init(&full[stage], 1);
            ptx::mbarrier_init(&empty[stage], 2 * 4 * CONSUMERS);  // warps
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster_sync();  // barriers of both blocks initialised

    int slot = 0, parity = 0;
    for (int work = blockIdx.x / 2; work < pairs * columns; work += clusters) {
        // Pairs of tiles in groups of GROUP rows, column by column.
        const int group = work / (GROUP * columns) * GROUP;  // its first pair of rows
        const int rows = min(GROUP, pairs - group);
        const int within = work - group * columns;
        const int pair = group + within % rows;
        const int row0 = (2 * pair + rank) * BM;  // of C, the block's first
        const int col0 = within / rows * BN;
        if (warp == 4 * CONSUMERS) {  // the producer
            for (int phase = 0; lane == 0 && phase < phases; ++phase) {
                while (!ptx::mbarrier_try_wait_parity(&empty[slot], parity ^ 1)) {
                }
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                               ptx::space_shared, &full[slot],
                                               Tile::STAGE_BYTES);
                ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                          As + slot * Tile::A_ELEMENTS, &A,
                                          {phase * BK, row0}, &full[slot]);
                for (int box = rank; box < Tile::BOXES; box += 2) {
                    const int row = box * Tile::BOX_ROWS;  // of all panels
                    ptx::cp_async_bulk_tensor(
                        ptx::space_cluster, ptx::space_global,
                        Bs + slot * Tile::B_ELEMENTS + row * 64, &B,
                        {col0 + row / BK * 64, phase * BK + row % BK}, &full[slot],
                        uint16_t{0b11});
                }
                if (++slot == STAGES) slot = 0, parity ^= 1;
            }
            continue;
        }
        const int consumer = warp / 4;
        const int m0 = consumer * 64;  // its first row of the tile
        float sum[BN / 2];  // 64 rows: a lane's elements
        int before = -1;  // the slot of the phase before
        for (int phase = 0; phase < phases; ++phase) {
            while (!ptx::mbarrier_try_wait_parity(&full[slot], parity)) {
            }
            const __nv_bfloat16* const a = As + slot * Tile::A_ELEMENTS + m0 * BK;
            const __nv_bfloat16* const b = Bs + slot * Tile::B_ELEMENTS;
            wgmma_fence();
#pragma unroll
            for (int k = 0; k < BK; k += 16) {
                const uint64_t tile_a = tile_at(a + k);
                const uint64_t tile_b = tile_at(b + k * 64, BK * 128);
                if constexpr (BN == 64)
                    wgmma_64x64x16(sum, tile_a, tile_b, phase + k);
                else if constexpr (BN == 128)
                    wgmma_64x128x16(sum, tile_a, tile_b, phase + k);
                else
                    wgmma_64x256x16(sum, tile_a, tile_b, phase + k);
            }
            wgmma_commit();
            wgmma_wait(1);  // the products of the phase before are complete
            if (before >= 0 && lane < 2) arrive_at_block(&empty[before], lane);
            before = slot;
            if (++slot == STAGES) slot = 0, parity ^= 1;
        }
        wgmma_wait(0);
        if (lane < 2) arrive_at_block(&empty[before], lane);
#pragma unroll
        for (int part = 0; part < BN / 32; ++part) {  // 32 columns each
            float* const c = Cs + (consumer * 2 + part % 2) * C_ELEMENTS;
            if (threadIdx.x % 128 == 0) store_wait_read(1);
            barrier_of_128(1 + consumer);  // the buffer may be written
            const int row = warp % 4 * 16 + lane / 4;  // and row + 8
#pragma unroll
            for (int j = 0; j < 4; ++j) {  // 8 columns each
                // Piece p of 4 columns lies at p ^ row % 8, as the TMA takes it.
                const int p = (2 * j + lane % 4 / 2) ^ row % 8;
                const float* const s = &sum[16 * part + 4 * j];
                float* const to = &c[row * 32 + 4 * p + lane % 2 * 2];
                const float2* const pair = reinterpret_cast<const float2*>(s);
                *reinterpret_cast<float2*>(to) = pair[0];
                *reinterpret_cast<float2*>(to + 8 * 32) = pair[1];
            }
            fence_for_tma();
            barrier_of_128(1 + consumer);  // the buffer is written
            if (threadIdx.x % 128 == 0)
                store_box(&C, col0 + 32 * part, row0 + m0, c);
        }
    }
    if (warp < 4 * CONSUMERS && threadIdx.x % 128 == 0) store_wait_all();
    cluster_sync();  // nobody arrives any more at a block that has ended
}

template <int TILE>
void launch_warp_specialised(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C,
                             int M, int N, int K) {
    using Tile = SpecialisedTile<TILE>;
    const CUtensorMap map_a =
        tensor_map_of(A, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, M, K, K, Tile::BM, 64,
                      CU_TENSOR_MAP_SWIZZLE_128B);
    const CUtensorMap map_b =
        tensor_map_of(B, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, K, N, N,
                      Tile::BOX_ROWS, 64, CU_TENSOR_MAP_SWIZZLE_128B);
    const CUtensorMap map_c = tensor_map_of(C, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, M, N,
                                            N, 64, 32, CU_TENSOR_MAP_SWIZZLE_128B);
    int processors = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    const int tiles = (M / Tile::BM) * (N / Tile::BN);
    const int blocks = tiles < processors ? tiles : processors / 2 * 2;
    cudaFuncSetAttribute(warp_specialised<TILE>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::BYTES);
    warp_specialised<TILE><<<blocks, Tile::THREADS, Tile::BYTES>>>(map_a, map_b, map_c,
                                                                   M, N, K);
}
