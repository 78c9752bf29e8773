// C++20: concepts, generic lambdas with template parameters, designated initialisers.
// test: --std c++20
// nvcc: --extended-lambda
#include <concepts>

#include "check.h"

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;
struct Range {
    int first = 0, count = 0;
};
__device__ double half(double v) {
    auto by_two = []<Number T>(T value) { return value / 2; };
    return by_two(v);
}
template <Number T>
__global__ void fill(T* out, Range range, auto f) {
    const int i = threadIdx.x;
    if (i >= range.first && i < range.first + range.count) out[i] = half(f(T(i)));
}

int main() {
    double* x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    fill<<<1, 32>>>(x, Range{.first = 4, .count = 8}, [] __device__(auto v) { return v * 3; });
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) CHECK(x[i] == (i >= 4 && i < 12 ? i * 1.5 : 0.0));
    cudaFree(x);
    return failures;
}
