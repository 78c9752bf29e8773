// Arguments of launches: NULL, 0 and braced lists; classes that are copied for the launch, and
// whose bytes the threads get.
#include "check.h"

struct Counted {
    int* copies;
    int* destroyed;
    int own;
    __host__ Counted(int* made, int* gone, int n) : copies(made), destroyed(gone), own(n) {}
    __host__ Counted(const Counted& other)
        : copies(other.copies), destroyed(other.destroyed), own(other.own) {
        ++*copies;
    }
    __host__ ~Counted() { ++*destroyed; }
};
__global__ void by_value(Counted counted, int* to) {
    counted.own += threadIdx.x;  // each thread has its own bytes
    to[blockIdx.x * blockDim.x + threadIdx.x] = counted.own;
}
__global__ void scale(int* to, const int* from, int* maybe, int n) {
    if (maybe != nullptr) maybe[threadIdx.x] = 0;
    if (threadIdx.x < n) to[threadIdx.x] = 2 * from[threadIdx.x];
}
template <class T>
__global__ void scale_any(T* to, const T* from, T* maybe, int n, T factor) {
    if (maybe != nullptr) maybe[threadIdx.x] = 0;
    if (threadIdx.x < n) to[threadIdx.x] = factor * from[threadIdx.x];
}
__global__ void add_pairs(int2 pair, float4 four, int* to) {
    to[threadIdx.x] = pair.x + pair.y + int(four.w);
}

int main() {
    int *a, *b, host[128];
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    int copies = 0, destroyed = 0, n = 32;
    const auto fetch = [&] { cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost); };
    {
        Counted counted(&copies, &destroyed, 100);
        by_value<<<4, 32>>>(counted, b);
        CHECK(copies == 1 && destroyed == 1);
        void* arguments[] = {&counted, &b};
        cudaLaunchKernel(by_value, dim3(4), dim3(32), arguments, 0, 0);
        CHECK(copies == 1 && destroyed == 1);
    }
    CHECK(destroyed == 2);
    fetch();
    for (int i = 0; i < 128; ++i) CHECK(host[i] == 100 + i % 32);
    cudaMemset(a, 1, sizeof host);
    scale<<<1, 32>>>(b, a, NULL, n);
    scale<<<1, 32>>>(b + 32, a, 0, 32);
    scale_any<int><<<1, 32>>>(b + 64, a, NULL, n, 2);
    add_pairs<<<1, 32>>>({1, 2}, {0, 0, 0, 4}, b + 96);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    fetch();
    for (int i = 0; i < 96; ++i) CHECK(host[i] == 0x02020202);
    for (int i = 96; i < 128; ++i) CHECK(host[i] == 7);
    cudaFree(a);
    cudaFree(b);
    return failures;
}
