// Clusters with several rows and layers of blocks, which are not next to each other in the grid:
// shared memory, barriers and copies of the blocks of a row and of a column.
#include <cuda.h>

#include <cstdint>

#include "check.h"

__device__ uint32_t smem(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ uint32_t rank_in_cluster() {
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ uint32_t blocks_in_cluster() {
    uint32_t count;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
    return count;
}
__device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ uint32_t map_to(uint32_t address, uint32_t rank) {
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

// Each block gathers a word of each block of its cluster, and adds to a counter of the last one.
// to: [blocks][8][32], counts: [blocks].
__global__ void gather(uint32_t* to, uint32_t* counts) {
    __shared__ uint32_t words[32], count;
    const uint32_t block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const uint32_t rank = rank_in_cluster(), blocks = blocks_in_cluster(), i = threadIdx.x;
    words[i] = 100 * block + i;
    if (i == 0) count = 0;
    cluster_sync();
    for (uint32_t other = 0; other < blocks; ++other) {
        uint32_t word;
        asm volatile("ld.shared::cluster.u32 %0, [%1];"
                     : "=r"(word)
                     : "r"(map_to(smem(&words[(i + rank) % 32]), other)));
        to[(block * 8 + other) * 32 + i] = word;
    }
    if (i == 0)
        asm volatile(
            "red.shared::cluster.add.u32 [%0], %1;" ::"r"(map_to(smem(&count), blocks - 1)),
            "r"(rank + 1)
            : "memory");
    cluster_sync();
    if (i == 0) counts[block] = count;
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
__device__ void copy_to_blocks(void* to, const float* from, uint32_t bytes, uint64_t* barrier,
                               uint16_t blocks) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1], %2, [%3], %4;" ::"r"(smem(to)),
        "l"(from), "r"(bytes), "r"(smem(barrier)), "h"(blocks)
        : "memory");
}

constexpr int kTrips = 4, kStages = 2, kHalf = 32;  // floats of half a tile

// As a matrix product does it: the blocks of a row of the cluster share tiles of `rows`, those of
// a column tiles of `columns`. Each block copies half of a tile to both. rows:
// [grid.y][kTrips][64], columns: [grid.x][kTrips][64], to: [blocks][32].
__global__ void __cluster_dims__(2, 2, 1)
    cross(const float* rows, const float* columns, float* to) {
    __shared__ __align__(128) float row[kStages][2 * kHalf], column[kStages][2 * kHalf];
    // A barrier of its own for each copy of another block, so that their order is known.
    __shared__ __align__(8) uint64_t of_row[kStages], of_column[kStages], empty[kStages];
    const uint32_t rank = rank_in_cluster(), x = rank % 2, y = rank / 2, lane = threadIdx.x;
    if (lane == 0) {
        // A stage is empty when the three blocks that get copies of this one have read it.
        for (int stage = 0; stage < kStages; ++stage)
            init(&of_row[stage], 1), init(&of_column[stage], 1), init(&empty[stage], 3);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_sync();
    float sum = 0;
    for (int trip = 0; trip < kTrips; ++trip) {
        const int stage = trip % kStages;
        const uint32_t parity = trip / kStages % 2;
        if (lane == 0) {
            wait(&empty[stage], parity ^ 1);
            expect(&of_row[stage], 2 * kHalf * 4);
            expect(&of_column[stage], 2 * kHalf * 4);
            copy_to_blocks(row[stage] + x * kHalf,
                           rows + (blockIdx.y * kTrips + trip) * 2 * kHalf + x * kHalf, kHalf * 4,
                           &of_row[stage], uint16_t(3 << (2 * y)));
            copy_to_blocks(column[stage] + y * kHalf,
                           columns + (blockIdx.x * kTrips + trip) * 2 * kHalf + y * kHalf,
                           kHalf * 4, &of_column[stage], uint16_t(5 << x));
        }
        __syncwarp();
        wait(&of_row[stage], parity);
        wait(&of_column[stage], parity);
        for (int half = 0; half < 2; ++half) {
            const float of_a = row[stage][half * kHalf + lane];
            const float of_b = column[stage][half * kHalf + 31 - lane];
            sum += of_a * of_b;
        }
        __syncwarp();
        // The block itself, the other one of its row, the other one of its column.
        if (lane < 3)
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                             map_to(smem(&empty[stage]), rank ^ lane))
                         : "memory");
    }
    to[(blockIdx.y * gridDim.x + blockIdx.x) * 32 + lane] = sum;
    cluster_sync();
}

void check_gather(dim3 cluster) {
    const dim3 grid(4, 4, 2);
    const uint32_t blocks = grid.x * grid.y * grid.z,
                   of_cluster = cluster.x * cluster.y * cluster.z;
    uint32_t *to, *counts;
    cudaMallocManaged(&to, blocks * 8 * 32 * 4);
    cudaMallocManaged(&counts, blocks * 4);
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(32);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster.x;
    attribute.val.clusterDim.y = cluster.y;
    attribute.val.clusterDim.z = cluster.z;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, gather, to, counts) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint32_t x = block % 4, y = block / 4 % 4, z = block / 16;
        const uint32_t rank =
            (z % cluster.z * cluster.y + y % cluster.y) * cluster.x + x % cluster.x;
        CHECK(counts[block] == (rank == of_cluster - 1 ? of_cluster * (of_cluster + 1) / 2 : 0));
        for (uint32_t other = 0; other < of_cluster; ++other) {
            const uint32_t there_x = x - x % cluster.x + other % cluster.x;
            const uint32_t there_y = y - y % cluster.y + other / cluster.x % cluster.y;
            const uint32_t there_z = z - z % cluster.z + other / cluster.x / cluster.y;
            const uint32_t there = (there_z * 4 + there_y) * 4 + there_x;
            for (uint32_t i = 0; i < 32; ++i)
                CHECK(to[(block * 8 + other) * 32 + i] == 100 * there + (i + rank) % 32);
        }
    }
    cudaFree(to), cudaFree(counts);
}

void check_cross() {
    const dim3 grid(4, 6);
    float *rows, *columns, *to;
    cudaMallocManaged(&rows, grid.y * kTrips * 64 * 4);
    cudaMallocManaged(&columns, grid.x * kTrips * 64 * 4);
    cudaMallocManaged(&to, grid.x * grid.y * 32 * 4);
    for (uint32_t i = 0; i < grid.y * kTrips * 64; ++i) rows[i] = float(i % 61);
    for (uint32_t i = 0; i < grid.x * kTrips * 64; ++i) columns[i] = float(i % 53);
    cross<<<grid, 32>>>(rows, columns, to);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (uint32_t y = 0; y < grid.y; ++y)
        for (uint32_t x = 0; x < grid.x; ++x)
            for (uint32_t lane = 0; lane < 32; ++lane) {
                float sum = 0;
                for (uint32_t part = 0; part < 2 * kTrips; ++part)
                    sum += rows[y * kTrips * 64 + part * 32 + lane] *
                           columns[x * kTrips * 64 + part * 32 + 31 - lane];
                CHECK(to[(y * grid.x + x) * 32 + lane] == sum);
            }
    cudaFree(rows), cudaFree(columns), cudaFree(to);
}

int main() {
    check_gather(dim3(2, 2, 1));
    check_gather(dim3(1, 4, 1));
    check_gather(dim3(2, 2, 2));
    check_gather(dim3(4, 2, 1));
    check_cross();
    return failures;
}
