// exercise: histogram
// says: counts[
#include <cuda_runtime.h>

__global__ void histogram_kernel(const int* values, int* counts, int n) {
    __shared__ int own[64];
    if (threadIdx.x < 64) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own[values[i]] += 1;
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

void histogram(const int* values, int* counts, int n) {
    cudaMemset(counts, 0, 64 * sizeof(int));
    histogram_kernel<<<4, 256>>>(values, counts, n);
}
