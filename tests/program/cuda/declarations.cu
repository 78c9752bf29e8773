// Declarations of shared memory with their words in any order, and <limits.h>, which the runtime's
// headers include.
#include "check.h"

__shared__ extern int dynamic_words[];
__device__ int sum_of_block(int value) {
    static __shared__ int sums[32];
    volatile __shared__ static int more[32];
    __align__(16) static __shared__ char bytes[32];
    sums[threadIdx.x] = value;
    more[threadIdx.x] = 1;
    bytes[threadIdx.x] = 1;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += sums[i] + more[i] + bytes[i];
    return sum;
}
__global__ void add(int* to) {
    float __shared__ reversed[32];
    const int i = threadIdx.x;
    dynamic_words[i] = i;
    reversed[31 - i] = i;
    __syncthreads();
    to[i] = sum_of_block(dynamic_words[31 - i]) + int(reversed[31 - i]) - i;
    if (i == 0) to[32] = INT_MAX;
}

int main() {
    int *a, host[33];
    cudaMalloc(&a, sizeof host);
    add<<<1, 32, 32 * sizeof(int)>>>(a);
    CHECK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < 32; ++i) CHECK(host[i] == 31 * 32 / 2 + 64);
    CHECK(host[32] == INT_MAX);
    cudaFree(a);
    return failures;
}
