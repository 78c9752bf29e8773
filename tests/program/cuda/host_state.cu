// Host code that rounds in its own way and traps, launches at the program's end, and names with a
// dollar sign or, of host code, letters of any language.
#include <unistd.h>

#include <cfenv>
#include <cmath>
#include <cstdlib>

#include "check.h"

__global__ void third(float* x) {
    const float one = x[threadIdx.x];
    x[threadIdx.x] = one / 3.0f;
    x[threadIdx.x + 64] = one / (one - 1.0f);
}
__global__ void size$1(int* x) { x[threadIdx.x] = threadIdx.x * 2; }
template <int FACTOR>
__global__ void times(int* x) {
    x[threadIdx.x] *= FACTOR;
}

int* größe;
void at_the_end() {
    size$1<<<1, 64>>>(größe);
    const bool done = cudaDeviceSynchronize() == cudaSuccess && größe[63] == 126;
    cudaFree(größe);
    if (!done) _exit(9);
}

int main() {
    cudaMallocManaged(&größe, 64 * sizeof *größe);
    size$1<<<1, 64>>>(größe);
    times<5><<<1, 64>>>(größe);
    cudaDeviceSynchronize();
    CHECK(größe[63] == 630);
    std::atexit(at_the_end);

    float* x;
    cudaMallocManaged(&x, 128 * sizeof *x);
    for (int i = 0; i < 64; ++i) x[i] = 1.0f;
    std::fesetround(FE_UPWARD);
#ifdef __GLIBC__
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
#endif
    third<<<1, 64>>>(x);
    cudaDeviceSynchronize();
#ifdef __GLIBC__
    fedisableexcept(FE_ALL_EXCEPT);
#endif
    CHECK(std::fegetround() == FE_UPWARD);
    std::fesetround(FE_TONEAREST);
    volatile float one = 1.0f;
    volatile float rounded = one / 3.0f;
    CHECK(x[63] == rounded);
    CHECK(std::isinf(x[64]));
    cudaFree(x);
    return failures;
}
