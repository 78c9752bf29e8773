// Macros of the program and its headers stand for __host__ __device__: a kernel takes the branches
// for the GPU, the host its own.
#include "check.h"
#include "specifier_macros.h"

#define HD HOST_DEVICE_

HD int level() {
    int found = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    found = 7;
#endif
    return found;
}
template <class T>
struct Scaled {
    T value;
    HOST_DEVICE_ T get() const {
#ifdef __CUDA_ARCH__
        return value * 10;
#else
        return value * 100;
#endif
    }
};

__global__ void ask(int* out) {
    out[0] = where();
    out[1] = in_kernels();
    out[2] = level();
    out[3] = Scaled<int>{4}.get();
}

int main() {
    int* out;
    cudaMallocManaged(&out, 4 * sizeof *out);
    ask<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    CHECK(out[0] == 1 && out[1] == 3 && out[2] == 7 && out[3] == 40);
    CHECK(where() == 2 && level() == 0 && Scaled<int>{4}.get() == 400);
    cudaFree(out);
    return failures;
}
