// A program of several files, with a folder of headers, a macro from the command line, and a file
// for the host compiler.
// test: --with kernel.cu --with host.cpp -I headers -D FACTOR=3
#include "../check.h"
#include "scale.cuh"

int sum_of(const int* values, int count);
void launch_elsewhere(int* x, int n);

int main() {
    int* x;
    cudaMallocManaged(&x, 64 * sizeof *x);
    for (int i = 0; i < 64; ++i) x[i] = i;
    scale<<<2, 32>>>(x, FACTOR);
    launch_elsewhere(x, 64);
    cudaDeviceSynchronize();
    CHECK(sum_of(x, 64) == 3 * 63 * 64 / 2 + 64);
    cudaFree(x);
    return failures;
}
