// Launches from several threads of the host.
#include <omp.h>

#include "check.h"

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }

int main() {
    int results[4] = {};
#pragma omp parallel num_threads(4)
    {
        const int me = omp_get_thread_num();
        cudaSetDevice(0);
        int *x, h[32];
        cudaMalloc(&x, sizeof h);
        for (int i = 0; i < 5; ++i) fill<<<1, 32>>>(x, 10 * me + i);
        cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
        results[me] = h[31];
        cudaFree(x);
    }
    for (int i = 0; i < 4; ++i) CHECK(results[i] == 10 * i + 4);
    return failures;
}
