// __host__ __device__ functions whose statements differ between host and GPU: a kernel takes those
// for the GPU, the host its own.
#include "check.h"

__host__ __device__ int where() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
__host__ __device__ int level() {
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 800)
    const int found = 8;
    return found;
#else
    const int found = 3;
#endif
    return found;
}
template <class T>
__host__ __device__ T scaled(T x) {
    T result = x;
#ifndef __CUDA_ARCH__
    result *= 10;
#endif
#if __CUDA_ARCH__
    result = result * 100;
#endif
    return result;
}
struct Value {
    int v;
    __host__ __device__ Value() {
        v = 0;
#if !defined(__CUDA_ARCH__)
        for (int i = 0; i < 3; ++i) v += 1;
#else
        if (v == 0) {
            v = 5;
        }
#endif
    }
    __host__ __device__ operator int() const {
#if __CUDA_ARCH__ < 700
        return -v;
#else
        return v;
#endif
    }
};

__global__ void ask(int* out) {
    out[0] = where();
    out[1] = level();
    out[2] = scaled(7);
    out[3] = Value();
}

int main() {
    int* out;
    cudaMallocManaged(&out, 4 * sizeof *out);
    ask<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    CHECK(out[0] == 1 && out[1] == 8 && out[2] == 700 && out[3] == 5);
    // On the host the macro is not defined, which is 0 in a condition.
    CHECK(where() == 2 && level() == 3 && scaled(7) == 70 && Value() == -3);
    cudaFree(out);
    return failures;
}
