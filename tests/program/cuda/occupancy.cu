// Occupancy: how many blocks a multiprocessor holds, and the block size that fills it.
#include "check.h"

__global__ void light(float* x) { x[threadIdx.x] = 1; }
__global__ void heavy(float* x) {
    __shared__ float tile[12000];  // 48,000 bytes
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
__global__ void dynamic(float* x) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = threadIdx.x;
    x[threadIdx.x] = tile[threadIdx.x];
}

__global__ void with_both(float* x) {
    __shared__ float first[6];
    extern __shared__ float rest[];
    if (threadIdx.x < 6) first[threadIdx.x] = 1;
    rest[threadIdx.x] = 2;
    __syncthreads();
    x[threadIdx.x] = first[threadIdx.x % 6] + rest[127 - threadIdx.x];
}

int main() {
    int blocks = 0, grid = 0, block = 0;
    // Compute capability 9.0: 2,048 threads, 32 blocks, 228 KiB, of which each block takes 1 KiB.
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, light, 256, 0) == cudaSuccess);
    CHECK(blocks == 8);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, light, 32, 0);
    CHECK(blocks == 32);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, light, 1024, 0);
    CHECK(blocks == 2);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 128, 40 << 10);
    CHECK(blocks == 5);  // 228 / 41
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, heavy, 128, 0);
    CHECK(blocks == 4);  // 228 KiB / (48,000 bytes in units of 128 + 1 KiB)
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, light, 0, 0) == cudaSuccess);
    CHECK(block == 1024 && grid == 2 * 132);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, dynamic,
                                                   [](int threads) { return threads * 448; });
    CHECK(block > 0 && block * 448 <= 227 << 10);
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, heavy) == cudaSuccess);
    CHECK(attributes.sharedSizeBytes == 48000 && attributes.maxThreadsPerBlock == 1024);
    // More than 48 KiB of dynamic shared memory must be requested.
    float* x;
    cudaMalloc(&x, 128 * sizeof *x);
    CHECK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10) ==
          cudaSuccess);
    dynamic<<<1, 128, 100 << 10>>>(x);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 300 << 10) ==
          cudaErrorInvalidValue);
    cudaGetLastError();
    // The attribute limits dynamic shared memory only: then static shared memory comes on top.
    CHECK(cudaFuncSetAttribute(with_both, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 << 10) ==
          cudaSuccess);
    with_both<<<1, 128, 48 << 10>>>(x);
    CHECK(cudaGetLastError() == cudaSuccess);
    cudaFree(x);
    return failures;
}
