// Bytes counted in 64 bins: by atomics in global memory, and in shared memory first.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kCount = 1024, kBins = 64, kBlock = 128;

__global__ void in_global(const unsigned char* data, unsigned int* bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[data[i]], 1u);
}

__global__ void in_shared(const unsigned char* data, unsigned int* bins) {
    __shared__ unsigned int part[kBins];
    if (threadIdx.x < kBins) part[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&part[data[i]], 1u);
    __syncthreads();
    if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}

int main() {
    std::vector<unsigned char> data(kCount);
    std::vector<unsigned int> expected(kBins), got(kBins);
    for (int i = 0; i < kCount; ++i) ++expected[data[i] = (i * 37 + i / 5) % kBins];
    unsigned char* device;
    unsigned int* bins;
    cudaMalloc(&device, kCount);
    cudaMalloc(&bins, kBins * sizeof(unsigned int));
    cudaMemcpy(device, data.data(), kCount, cudaMemcpyHostToDevice);
    int wrong = 0;
    auto check = [&] {
        cudaMemcpy(got.data(), bins, kBins * sizeof(unsigned int), cudaMemcpyDeviceToHost);
        for (int i = 0; i < kBins; ++i) wrong += got[i] != expected[i];
        cudaMemset(bins, 0, kBins * sizeof(unsigned int));
    };
    cudaMemset(bins, 0, kBins * sizeof(unsigned int));
    in_global<<<kCount / kBlock, kBlock>>>(device, bins);
    check();
    in_shared<<<kCount / kBlock, kBlock>>>(device, bins);
    check();
    cudaFree(device);
    cudaFree(bins);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
