// printf, assert and clock in kernels.
#include <cassert>

#include "check.h"

__global__ void talk(long long* ticks, const char* word) {
    const long long begin = clock64();
    assert(threadIdx.x < 2);
    printf("thread %d of block %d says %s %5.2f %llu%%\n", threadIdx.x, blockIdx.x, word, 1.5,
           1ull << 40);
    ticks[2 * blockIdx.x + threadIdx.x] = clock64() - begin + (clock() >= 0);
}
__global__ void spin(long long* ticks, int until) {
    const long begin = clock();
    while (clock() - begin < until) {
    }
    ticks[0] = clock() - begin;
}

int main() {
    long long* ticks;
    char* word;
    cudaMallocManaged(&ticks, 4 * sizeof *ticks);
    cudaMallocManaged(&word, 8);
    strcpy(word, "hello");
    talk<<<2, 2>>>(ticks, word);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(ticks[0] > 0 && ticks[1] > 0);
    // 15,000,000 ticks take 10 ms at the device's 1.5 GHz, but 15 s at the host's CLOCKS_PER_SEC.
    const clock_t before = clock();
    spin<<<1, 1>>>(ticks, 15'000'000);
    cudaDeviceSynchronize();
    CHECK(ticks[0] >= 15'000'000 && clock() - before < 5 * CLOCKS_PER_SEC);
    cudaFree(ticks);
    cudaFree(word);
    return failures;
}
