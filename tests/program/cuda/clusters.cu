// Clusters of blocks in CUDA C++: cooperative groups, launch attributes, a dimension from a
// template argument. CUDA C++ Programming Guide, "Thread Block Clusters", "Distributed Shared
// Memory".
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kBins = 96, kBlocks = 16, kThreads = 64;

// The bins are spread over the blocks of the cluster: the Programming Guide's example.
__global__ void histogram(int* bins, const int* input, int n, int bins_of_block) {
    extern __shared__ int own[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) own[i] = 0;
    cluster.sync();
    const int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const int bin = input[i] % kBins;
        int* const there = cluster.map_shared_rank(own, bin / bins_of_block);
        atomicAdd(there + bin % bins_of_block, 1);
    }
    cluster.sync();
    int* const to = bins + cluster.block_rank() * bins_of_block;
    for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) atomicAdd(to + i, own[i]);
}

struct Found {
    unsigned rank, blocks, threads, thread_rank, index, extent, of_next, thread_index;
};

// Halos of neighbours, with the two halves of the barrier.
template <int kSize>
__global__ void __cluster_dims__(kSize, 1, 1) neighbours(float* to, Found* found) {
    __shared__ float edge[2];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0) edge[0] = blockIdx.x, edge[1] = blockIdx.x + 0.5f;
    cg::cluster_group::arrival_token token = cluster.barrier_arrive();
    const float own = threadIdx.x * 10;
    cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token&&>(token));
    const float left = rank == 0 ? -1 : cluster.map_shared_rank(edge, rank - 1)[1];
    const float right = rank + 1 == kSize ? -1 : *cluster.map_shared_rank(&edge[0], rank + 1);
    to[blockIdx.x * blockDim.x + threadIdx.x] = own + left + right;
    if (threadIdx.x == 5) {
        float* const next = cluster.map_shared_rank(edge, (rank + 1) % kSize);
        found[blockIdx.x] = {rank,
                             cluster.num_blocks(),
                             unsigned(cluster.num_threads()),
                             unsigned(cluster.thread_rank()),
                             cluster.block_index().x,
                             cluster.dim_blocks().x,
                             cluster.query_shared_rank(next),
                             cluster.thread_index().x};
    }
    cluster.sync();
}

// Without clusters each block is one.
__global__ void alone(unsigned* to) {
    __shared__ unsigned word;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) *cluster.map_shared_rank(&word, 0) = 7 + cluster.num_blocks();
    cluster.sync();
    to[blockIdx.x * 32 + threadIdx.x] = word + cluster.block_rank();
}

void check_histogram(int size) {
    constexpr int kNumbers = 3000;
    int *bins, *input;
    cudaMallocManaged(&bins, kBins * sizeof(int));
    cudaMallocManaged(&input, kNumbers * sizeof(int));
    int expected[kBins] = {};
    for (int i = 0; i < kNumbers; ++i) input[i] = i * 7 % 113, ++expected[input[i] % kBins];
    for (int i = 0; i < kBins; ++i) bins[i] = 0;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = size;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = kBlocks;
    config.blockDim = kThreads;
    config.dynamicSmemBytes = kBins / size * sizeof(int);
    config.attrs = attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, histogram, bins, (const int*)input, kNumbers, kBins / size) ==
          cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < kBins; ++i) CHECK(bins[i] == expected[i]);
    cudaFree(bins), cudaFree(input);
}

template <int kSize>
void check_neighbours() {
    float* to;
    Found* found;
    cudaMallocManaged(&to, 8 * 32 * sizeof(float));
    cudaMallocManaged(&found, 8 * sizeof(Found));
    neighbours<kSize><<<8, 32>>>(to, found);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (unsigned block = 0; block < 8; ++block) {
        const unsigned rank = block % kSize;
        const float left = rank == 0 ? -1 : block - 0.5f,
                    right = rank + 1 == kSize ? -1.0f : block + 1;
        for (unsigned i = 0; i < 32; ++i) CHECK(to[block * 32 + i] == 10 * i + left + right);
        const Found& one = found[block];
        CHECK(one.rank == rank && one.blocks == kSize && one.threads == kSize * 32);
        CHECK(one.thread_rank == rank * 32 + 5 && one.index == rank && one.extent == kSize);
        CHECK(one.of_next == (rank + 1) % kSize && one.thread_index == rank * 32 + 5);
    }
    cudaFree(to), cudaFree(found);
}

int main() {
    check_histogram(2);
    check_histogram(4);
    check_histogram(8);
    check_neighbours<2>();
    check_neighbours<8>();
    unsigned* to;
    cudaMallocManaged(&to, 64 * sizeof(unsigned));
    alone<<<2, 32>>>(to);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 64; ++i) CHECK(to[i] == 8);
    cudaFree(to);
    return failures;
}
