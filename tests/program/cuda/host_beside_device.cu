// Device code calls what nvcc lets it call, and has local arrays of up to 512 KiB.
#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

struct Plain {
    int value = 3;
    Plain() = default;
    Plain(const Plain&) = default;
};
struct Fixed {
    int value;
    constexpr explicit Fixed(int of) : value(of) {}
    constexpr int twice() const { return 2 * value; }
};
struct Functor {
    __host__ __device__ Functor() {}
    __device__ int operator()(int i) const { return i + 1; }
    ~Functor() = default;
};
constexpr int square(int i) { return i * i; }
template <class T>
constexpr T larger(T a, T b) {
    return a < b ? b : a;
}
__device__ int declared_first(int i);
int declared_first(int i) { return i + 2; }

__host__ __device__ void check(bool good) {
    if (!good) std::exit(1);
}

__global__ void k(int* out) {
    struct Local {
        int base;
        __device__ int add(int i) { return base + i; }
    };
    const auto lambda = [](int i) { return i + 4; };
    Local local{5};
    Plain plain;
    int a = 1, b = 2;
    std::swap(a, b);
    int* const made = new int(7);
    int* const given = static_cast<int*>(malloc(sizeof(int)));
    assert(made != nullptr && given != nullptr);
    *given = std::abs(-2) + static_cast<int>(std::sqrt(16.0f) + fmaxf(1.0f, std::pow(2.0f, 3)));
    check(plain.value == 3);
    // constexpr functions of the C++ library, and what cuda::std has, too.
    std::array<int, 2> array{3, 4};
    std::pair<int, long> pair{1, -2};
    pair = std::make_pair(array[0], std::abs(-5L));
    int exponent = 0;
    check(std::min(array[0], array[1]) == 3 && std::max(1, 2) == 2 && pair.second == 5 &&
          std::numeric_limits<int>::max() == 0x7fffffff && std::frexp(8.0, &exponent) == 0.5);
    new (made) int(7);
    int of_thread = 1;
    const auto by_reference = [&](int i) { of_thread += i; };
    by_reference(2);
    check(of_thread == 3);
    out[threadIdx.x] = lambda(0) + local.add(1) + plain.value + Fixed(3).twice() + square(2) +
                       larger(1, 2) + Functor()(0) + declared_first(0) + *made + a + *given;
    delete made;
    free(given);
    if (threadIdx.x == 0) printf("of the kernel\n");
}

// 400,000 bytes a thread.
__global__ void large(const int* in, int* out) {
    volatile int array[100000];
    for (int i = 0; i < 100000; i += 1000) array[i] = in[threadIdx.x];
    out[threadIdx.x] = array[99000] + 1;
}

int main() {
    int *out, *more, values[64];
    cudaMalloc(&out, sizeof values);
    cudaMalloc(&more, sizeof values);
    k<<<1, 64>>>(out);
    large<<<1, 64>>>(out, more);
    cudaMemcpy(values, more, sizeof values, cudaMemcpyDeviceToHost);
    bool right = cudaGetLastError() == cudaSuccess;
    for (const int value : values)
        right = right && value == 4 + 6 + 3 + 6 + 4 + 2 + 1 + 2 + 7 + 2 + 14 + 1;
    cudaFree(out);
    cudaFree(more);
    std::printf(right ? "right\n" : "WRONG %d\n", values[0]);
    return right ? 0 : 1;
}
