// How often each value from 0 to 63 occurs in a list of whole numbers.
// The exercise: histogram.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void histogram_kernel(const int* values, int* counts, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[values[i]], 1);
}

void histogram(const int* values, int* counts, int n) {
    cudaMemset(counts, 0, 64 * sizeof(int));
    histogram_kernel<<<4, 256>>>(values, counts, n);
}

// Tries it at one size. The check has a main() of its own.
int main() {
    const int n = 6400;
    std::vector<int> numbers(n), found(64);
    for (int i = 0; i < n; ++i) numbers[i] = i * 7 % 64;
    int *values, *counts;
    cudaMalloc(&values, n * sizeof(int));
    cudaMalloc(&counts, 64 * sizeof(int));
    cudaMemcpy(values, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    histogram(values, counts, n);
    cudaMemcpy(found.data(), counts, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int bin = 0; bin < 64; ++bin) right += found[bin] == 100;
    printf("%d of 64 right\n", right);
    cudaFree(values);
    cudaFree(counts);
}
