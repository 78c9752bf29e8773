// cuda::maximum and its like, cuda::ceil_div and its like, on the host and in a kernel.
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/functional>

#include "check.h"

constexpr int kResults = 12;

__host__ __device__ void results(long long* out) {
    out[0] = cuda::maximum<>{}(3, 7LL);
    out[1] = cuda::minimum<>{}(3u, 7u);
    out[2] = cuda::maximum<int>{}(-3, -7);
    out[3] = cuda::minimum<int>{}(-3, -7);
    out[4] = cuda::std::plus<>{}(20, 22);
    out[5] = cuda::ceil_div(33, 32u) * 100 + cuda::ceil_div(32, 32);
    out[6] = cuda::ceil_div(0xffffffffu, 2u);
    out[7] = cuda::round_up(33, 32) * 100 + cuda::round_down(63, 32);
    out[8] = cuda::ilog2(1u) * 1000 + cuda::ilog2(1023u) * 10;
    out[9] = cuda::ilog10(999u) * 10 + cuda::ilog10(1000u);
    const auto twice = [](int x) { return 2LL * x; };
    out[10] = cuda::proclaim_return_type<long long>(twice)(1 << 30);
    out[11] = cuda::std::not_equal_to<>{}(1, 2);
}
__global__ void kernel(long long* out) { results(out); }

int main() {
    const long long right[kResults] = {7,          3,    -3, -7, 42,           201,
                                       0x80000000, 6432, 90, 23, 0x80000000LL, 1};
    long long *device, here[kResults], there[kResults];
    cudaMalloc(&device, sizeof there);
    kernel<<<1, 1>>>(device);
    CHECK(cudaMemcpy(there, device, sizeof there, cudaMemcpyDeviceToHost) == cudaSuccess);
    results(here);
    for (int i = 0; i < kResults; ++i) CHECK(here[i] == right[i] && there[i] == right[i]);
    cudaFree(device);
    return failures;
}
