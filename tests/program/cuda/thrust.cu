// Thrust: vectors, algorithms, and kernels that share their memory.
// needs: thrust/version.h
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include "check.h"

__global__ void twice(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

int main() {
    thrust::host_vector<int> h(100);
    for (int i = 0; i < 100; ++i) h[i] = 99 - i;
    thrust::device_vector<int> d = h;
    thrust::sort(d.begin(), d.end());
    twice<<<1, 128>>>(thrust::raw_pointer_cast(d.data()), 100);
    thrust::transform(d.begin(), d.end(), d.begin(), Square());
    CHECK(d[5] == 100);
    CHECK(thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>()) == 4 * 328350);
    int* raw;
    cudaMalloc(&raw, 100 * sizeof *raw);
    cudaMemcpy(raw, h.data(), 100 * sizeof *raw, cudaMemcpyHostToDevice);
    thrust::inclusive_scan(thrust::device_pointer_cast(raw), thrust::device_pointer_cast(raw + 100),
                           d.begin());
    CHECK(d[99] == 99 * 50 && d[1] == 99 + 98);
    cudaFree(raw);
    return failures;
}
