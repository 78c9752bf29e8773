// Cooperative launches: all blocks wait for each other.
#include <cooperative_groups.h>

#include "check.h"
namespace cg = cooperative_groups;

__global__ void scan(int* x, int* sums, int n) {
    const cg::grid_group grid = cg::this_grid();
    __shared__ int block_sum;
    const int i = grid.thread_rank();
    if (threadIdx.x == 0) block_sum = 0;
    __syncthreads();
    if (i < n) atomicAdd(&block_sum, x[i]);
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = block_sum;
    grid.sync();
    int before = 0;
    for (int b = 0; b < int(blockIdx.x); ++b) before += sums[b];
    grid.sync();
    if (threadIdx.x == 0) sums[blockIdx.x] = before + block_sum;  // block_sum outlives grid.sync()
    cg::sync(grid);
    if (i < n) x[i] = sums[gridDim.x - 1];
}

int main() {
    const int n = 20 * 64 - 5;
    int blocks = 20, *x, *sums, count = n;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&sums, blocks * sizeof *sums);
    int wanted = 0;
    for (int i = 0; i < n; ++i) wanted += x[i] = i % 11;
    void* arguments[] = {&x, &sums, &count};
    CHECK(cudaLaunchCooperativeKernel((void*)scan, dim3(blocks), dim3(64), arguments) ==
          cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < n; ++i) CHECK(x[i] == wanted);
    cudaFree(x);
    cudaFree(sums);
    return failures;
}
