// <<<>>> in all its forms, kernels by pointer, cudaLaunchKernel and its relatives.
#include <utility>

#include "check.h"

namespace kernels {
template <class T, int N>
__global__ void add(T* x, T value) {
    x[blockIdx.x * blockDim.x + threadIdx.x] += value * N;
}
}  // namespace kernels
__global__ void __launch_bounds__(64, 2) set(int* x, int a, int b) { x[threadIdx.x] = a * 10 + b; }
__global__ void fill(int* x, int value = 8, const int* from = nullptr) {
    x[threadIdx.x] = from == nullptr ? value : from[threadIdx.x];
}
__global__ void shared(int* x) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    x[threadIdx.x] = s[threadIdx.x];
}
#define LAUNCH(kernel, blocks, ...) kernel<<<blocks, 32>>>(__VA_ARGS__)
// Macros that turn values into constants, around a launch, as PyTorch's kernels have them.
#define DISPATCH(value, NAME, ...)  \
    [&] {                           \
        if ((value) == 1) {         \
            constexpr int NAME = 1; \
            return __VA_ARGS__();   \
        }                           \
        constexpr int NAME = 2;     \
        return __VA_ARGS__();       \
    }()
#define ADD(n) kernels::add<int, n><<<dim3(1, 1), 32>>>(x, 1)
int evaluated = 0;
int once() { return ++evaluated; }
template <int BLOCK>
void launch_it(int* x) {
    kernels::add<int, BLOCK><<<1, BLOCK>>>(x, 1);
}

int main() {
    int* x;
    cudaMallocManaged(&x, 64 * sizeof *x);
    const auto is = [&](int i, int value) {
        cudaDeviceSynchronize();
        return x[i] == value;
    };
    set<<<1, 32>>>(x, once(), 2);
    CHECK(is(31, 12) && evaluated == 1);
    set<<<dim3(1), dim3(32), 0>>>(x, 3, 4);
    CHECK(is(5, 34));
    const cudaStream_t stream = 0;
    shared<<<1, 32, 32 * sizeof(int), stream>>>(x);
    CHECK(is(7, 7));
    kernels::add<int, (4 > 3) ? 2 : 1><<<dim3(2, 1, 1), 32 /* threads */, 0>>>(x, 1);
    CHECK(is(7, 9));
    fill<<<1, 32>>>(x);
    CHECK(is(3, 8));
    fill<<<1, 32>>>(x, 9);
    CHECK(is(3, 9));
    fill<<<1, 32>>>(x, 9, x + 32);
    CHECK(is(3, x[35]));
    LAUNCH(set, 1, x, 5, 6);
    CHECK(is(0, 56));
    launch_it<32>(x);
    CHECK(is(0, 88));
    void (*pointer)(int*, int, int) = set;
    pointer<<<1, 32>>>(x, 7, 8);
    CHECK(is(9, 78));
    std::pair<const char*, void (*)(int*, int, int)> table[] = {{"set", set}};
    (*table[0].second)<<<1, 32>>>(x, 1, 1);
    CHECK(is(9, 11));
    int a = 2, b = 3;
    void* arguments[] = {&x, &a, &b};
    CHECK(cudaLaunchKernel(set, dim3(1), dim3(32), arguments, 0, stream) == cudaSuccess);
    CHECK(is(1, 23));
    a = 4;
    CHECK(cudaLaunchKernel((const void*)set, 1, 32, arguments) == cudaSuccess && is(1, 43));
    const void* kernel = reinterpret_cast<const void*>(&kernels::add<int, 5>);
    void* others[] = {&x, &a};
    CHECK(cudaLaunchKernel(kernel, dim3(1), dim3(32), others, 0, 0) == cudaSuccess && is(1, 63));
    CHECK(cudaLaunchCooperativeKernel((void*)set, dim3(1), dim3(32), arguments) == cudaSuccess);
    CHECK(is(1, 43));
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 32;
    CHECK(cudaLaunchKernelEx(&config, set, x, 9, 9) == cudaSuccess && is(2, 99));
    if (a == 4)
        set<<<1, 32>>>(x, 0, 1);
    else
        set<<<1, 32>>>(x, 0, 2);
    CHECK(is(3, 1));
    DISPATCH(1, kA, [&] {
        DISPATCH(2, kB, [&] {
            set<<<dim3(1, 1), 32>>>(x, kA, kB);
            kernels::add<int, kA + kB><<<1, 32>>>(x, 100);
        });
    });
    CHECK(is(4, 312));
    ADD(5);
    CHECK(is(4, 317));
    cudaFree(x);
    return failures;
}
