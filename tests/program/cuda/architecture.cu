// In device functions, __CUDA_ARCH__ names the chosen GPU (9.0: 900). Host code does not have it.
#include "check.h"

__host__ __device__ int where() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
}
// nvcc compiles kernels for the host, too, so the functions they call must be defined in both
// compilations.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__device__ int of_newer_gpus() { return 7; }
#else
__device__ int of_newer_gpus() { return 5; }
#endif
__device__ int level() {
#if __CUDA_ARCH__ >= 800
    return 8;
#else
    return 0;
#endif
}
__global__ void ask(int* out) {
#ifdef __CUDA_ARCH__
    out[0] = __CUDA_ARCH__;
#endif
    out[1] = level() + of_newer_gpus() - 7;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 350
    out[1] = -1;
#endif
}

int main() {
    int* out;
    cudaMallocManaged(&out, 2 * sizeof *out);
    ask<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    CHECK(out[0] == 900 && out[1] == 8 && where() == 0);
    cudaFree(out);
    return failures;
}
