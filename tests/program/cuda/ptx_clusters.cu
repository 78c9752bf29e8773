// Inline PTX: clusters of blocks. Special registers, the barrier of the cluster, shared memory and
// mbarriers of other blocks, copies to several blocks.
#include <cuda.h>

#include <cstdint>

#include "check.h"

__device__ uint32_t smem(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
#define SPECIAL(name)                               \
    [] {                                            \
        uint32_t value;                             \
        asm("mov.u32 %0, " name ";" : "=r"(value)); \
        return value;                               \
    }()
__device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ uint32_t map_to(uint32_t address, uint32_t rank) {
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

constexpr int kPlaces = 12;

// A grid of 4 x 4 blocks, clusters of 2 x 2.
__global__ void __cluster_dims__(2, 2, 1) places(uint32_t* to) {
    const uint32_t block = blockIdx.y * gridDim.x + blockIdx.x;
    const uint32_t found[kPlaces] = {
        SPECIAL("%cluster_ctaid.x"),  SPECIAL("%cluster_ctaid.y"),  SPECIAL("%cluster_ctaid.z"),
        SPECIAL("%cluster_nctaid.x"), SPECIAL("%cluster_nctaid.y"), SPECIAL("%cluster_nctaid.z"),
        SPECIAL("%cluster_ctarank"),  SPECIAL("%cluster_nctarank"), SPECIAL("%clusterid.x"),
        SPECIAL("%clusterid.y"),      SPECIAL("%nclusterid.x"),     SPECIAL("%nclusterid.y")};
    for (int i = 0; i < kPlaces; ++i) to[block * kPlaces + i] = found[i];
}

// Each block reads the words of the next, stores to the one before, and adds to the first.
__global__ void __cluster_dims__(4, 1, 1) others(uint32_t* to) {
    __shared__ uint32_t words[32], given[32], sum;
    const uint32_t rank = SPECIAL("%cluster_ctarank"), i = threadIdx.x;
    words[i] = 100 * blockIdx.x + i;
    if (i == 0) sum = 0;
    cluster_sync();
    uint32_t read, old;
    const uint32_t next = map_to(smem(&words[31 - i]), (rank + 1) % 4);
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(read) : "r"(next));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(map_to(smem(&given[i]), (rank + 3) % 4)),
                 "r"(1000 * blockIdx.x + i)
                 : "memory");
    const uint32_t first = map_to(smem(&sum), 0);
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "r"(first), "r"(i)
                 : "memory");
    asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(first), "r"(old >> 31) : "memory");
    uint32_t owner, mapped;
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(next));
    asm volatile(
        "{.reg .b64 a;\n.reg .pred p, q;\n"
        "cvta.shared::cluster.u64 a, %1;\n"
        "isspacep.shared::cluster p, a;\n"
        "isspacep.shared::cta q, a;\n"
        "selp.u32 %0, 1, 0, p;\n"
        "@q add.u32 %0, %0, 2;}"
        : "=r"(mapped)
        : "l"(uint64_t(next)));
    cluster_sync();
    uint32_t* const out = to + blockIdx.x * 32 * 5 + i;
    out[0] = read, out[32] = given[i], out[64] = sum, out[96] = owner, out[128] = mapped;
}

// The generic address of a word of another block.
__global__ void __cluster_dims__(2) generic(float* to) {
    __shared__ float words[32];
    const uint32_t rank = SPECIAL("%cluster_ctarank");
    words[threadIdx.x] = 10 * rank + threadIdx.x;
    cluster_sync();
    float* there;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(&words[0]), "r"(1 - rank));
    const float read = there[threadIdx.x];
    cluster_sync();
    there[threadIdx.x] = read + 100;
    cluster_sync();
    to[blockIdx.x * 32 + threadIdx.x] = words[threadIdx.x];
}

__device__ void init(uint64_t* barrier, uint32_t count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(barrier)), "r"(count));
}
__device__ void expect(uint64_t* barrier, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ void wait(uint64_t* barrier, uint32_t parity) {
    asm volatile(
        "{\n.reg .pred p;\n"
        "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
        "@!p bra again;\n}" ::"r"(smem(barrier)),
        "r"(parity)
        : "memory");
}
__device__ void arrive_at_block(uint64_t* barrier, uint32_t rank) {
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                     map_to(smem(barrier), rank))
                 : "memory");
}

constexpr int kStages = 2, kTiles = 5, kRows = 8, kColumns = 64;  // of a box: half a tile

// Two blocks share each tile: a block copies half of it to both. A producer warp and a consumer
// warp in each; the consumers of both give a stage back to both producers.
__global__ void __cluster_dims__(2, 1, 1)
    shared_tiles(const __grid_constant__ CUtensorMap map, float* to) {
    __shared__ __align__(128) float tile[kStages][2][kRows * kColumns];
    __shared__ __align__(8) uint64_t full[kStages], empty[kStages];
    const uint32_t rank = SPECIAL("%cluster_ctarank"), lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < kStages; ++stage) init(&full[stage], 1), init(&empty[stage], 2);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_sync();
    if (threadIdx.x >= 32 && lane == 0) {
        for (int i = 0; i < kTiles; ++i) {
            const int stage = i % kStages;
            wait(&empty[stage], i / kStages % 2 ^ 1);
            expect(&full[stage], 2 * kRows * kColumns * 4);
            asm volatile(
                "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(
                    smem(tile[stage][rank])),
                "l"(&map), "r"(0), "r"(int(i * 2 * kRows + rank * kRows)), "r"(smem(&full[stage])),
                "h"(uint16_t(3))
                : "memory");
        }
    } else if (threadIdx.x < 32) {
        float sum = 0;
        for (int i = 0; i < kTiles; ++i) {
            const int stage = i % kStages;
            wait(&full[stage], i / kStages % 2);
            for (int row = 0; row < 2 * kRows; ++row)
                sum +=
                    tile[stage][row / kRows][row % kRows * kColumns + lane + 32 * rank] * (i + 1);
            __syncwarp();
            if (lane < 2) arrive_at_block(&empty[stage], lane);
        }
        to[blockIdx.x * 32 + lane] = sum;
    }
    cluster_sync();
}

// Rank 1 copies 512 bytes to all blocks but 0, and 512 bytes to block 0 alone.
__global__ void __cluster_dims__(4, 1, 1) some(const float* from, float* to) {
    __shared__ __align__(128) float tile[128];
    __shared__ __align__(8) uint64_t full;
    const uint32_t rank = SPECIAL("%cluster_ctarank");
    if (threadIdx.x == 0) {
        init(&full, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        expect(&full, 512);
    }
    cluster_sync();
    if (rank == 1 && threadIdx.x == 0) {
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
            "[%0], [%1], 512, [%2], %3;" ::"r"(smem(tile)),
            "l"(from), "r"(smem(&full)), "h"(uint16_t(14))
            : "memory");
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, "
            "[%2];" ::"r"(map_to(smem(tile), 0)),
            "l"(from + 128), "r"(map_to(smem(&full), 0))
            : "memory");
    }
    wait(&full, 0);
    to[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x];
    cluster_sync();
}

void check_places() {
    uint32_t* to;
    cudaMallocManaged(&to, 16 * kPlaces * 4);
    places<<<dim3(4, 4), 32>>>(to);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (uint32_t y = 0; y < 4; ++y)
        for (uint32_t x = 0; x < 4; ++x) {
            const uint32_t expected[kPlaces] = {x % 2, y % 2, 0,     2, 2, 1, x % 2 + y % 2 * 2,
                                                4,     x / 2, y / 2, 2, 2};
            for (int i = 0; i < kPlaces; ++i) CHECK(to[(y * 4 + x) * kPlaces + i] == expected[i]);
        }
    cudaFree(to);
}

void check_others() {
    uint32_t* to;
    cudaMallocManaged(&to, 8 * 32 * 5 * 4);
    others<<<8, 32>>>(to);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (uint32_t block = 0; block < 8; ++block) {
        const uint32_t first = block / 4 * 4, rank = block % 4;
        for (uint32_t i = 0; i < 32; ++i) {
            const uint32_t* const out = to + block * 32 * 5 + i;
            CHECK(out[0] == 100 * (first + (rank + 1) % 4) + 31 - i);
            CHECK(out[32] == 1000 * (first + (rank + 1) % 4) + i);
            CHECK(out[64] == (rank == 0 ? 4 * 496 : 0));
            CHECK(out[96] == (rank + 1) % 4);
            CHECK(out[128] == 1);
        }
    }
    cudaFree(to);
}

void check_copies() {
    constexpr int kAllRows = kTiles * 2 * kRows;
    float *from, *to;
    cudaMallocManaged(&from, kAllRows * kColumns * 4);
    cudaMallocManaged(&to, 4096);
    for (int i = 0; i < kAllRows * kColumns; ++i) from[i] = i % 97;
    generic<<<2, 32>>>(to);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 64; ++i) CHECK(to[i] == 10 * (i / 32) + i % 32 + 100);
    CUtensorMap map;
    const cuuint64_t extents[] = {kColumns, kAllRows}, strides[] = {kColumns * 4};
    const cuuint32_t box[] = {kColumns, kRows}, steps[] = {1, 1};
    CHECK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, from, extents, strides,
                                 box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    shared_tiles<<<2, 64>>>(map, to);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int column = 0; column < kColumns; ++column) {
        float sum = 0;
        for (int row = 0; row < kAllRows; ++row)
            sum += from[row * kColumns + column] * (row / (2 * kRows) + 1);
        CHECK(to[column] == sum);
    }
    some<<<4, 128>>>(from, to);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 512; ++i) CHECK(to[i] == from[i < 128 ? 128 + i : i % 128]);
    cudaFree(from), cudaFree(to);
}

int main() {
    check_places();
    check_others();
    check_copies();
    return failures;
}
