// Symbols before the first launch: their address, size and content.
#include "check.h"

__device__ int counts[4];
__constant__ float factors[4];
__device__ int untouched[4];
__global__ void scale(int* to) {
    const int i = threadIdx.x;
    to[i] = counts[i] * factors[i];
    counts[i] = 9;
}
__global__ void fill(int* to) { to[threadIdx.x] = threadIdx.x; }

int main() {
    void *address, *again, *other;
    size_t bytes = 0;
    const float two[4] = {2, 2, 2, 2};
    int host[4] = {10, 20, 30, 40}, *to;
    CHECK(cudaGetSymbolAddress(&address, counts) == cudaSuccess);
    CHECK(cudaGetSymbolAddress(&other, untouched) == cudaSuccess && other != address);
    CHECK(cudaGetSymbolSize(&bytes, factors) == cudaSuccess && bytes == sizeof factors);
    CHECK(cudaMemcpy(address, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpyToSymbol(factors, two, sizeof two) == cudaSuccess);
    CHECK(cudaMemset(other, 0, sizeof untouched) == cudaSuccess);
    fill<<<1, 4>>>(static_cast<int*>(other));
    cudaMemcpyFromSymbol(host, untouched, sizeof host);
    for (int i = 0; i < 4; ++i) CHECK(host[i] == i);
    cudaMalloc(&to, sizeof host);
    scale<<<1, 4>>>(to);
    CHECK(cudaGetSymbolAddress(&again, counts) == cudaSuccess && again == address);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; ++i) CHECK(host[i] == 20 * (i + 1));
    cudaMemcpyFromSymbol(host, counts, sizeof host);
    for (int i = 0; i < 4; ++i) CHECK(host[i] == 9);
    cudaFree(to);
    return failures;
}
