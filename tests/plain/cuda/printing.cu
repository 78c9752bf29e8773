// printf, assert and clock in kernels.
#include <cassert>

#include "check.h"

__global__ void talk(long long* ticks, const char* word) {
    const long long begin = clock64();
    assert(threadIdx.x < 2);
    printf("thread %d of block %d says %s %5.2f %llu%%\n", threadIdx.x, blockIdx.x, word, 1.5,
           1ull << 40);
    ticks[threadIdx.x] = clock64() - begin + (clock() >= 0);
}

int main() {
    long long* ticks;
    char* word;
    cudaMallocManaged(&ticks, 2 * sizeof *ticks);
    cudaMallocManaged(&word, 8);
    strcpy(word, "hello");
    talk<<<2, 2>>>(ticks, word);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(ticks[0] > 0 && ticks[1] > 0);
    cudaFree(ticks);
    cudaFree(word);
    return failures;
}
