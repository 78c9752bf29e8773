// cuda::std is std; cuda::atomic and cuda::atomic_ref.
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/utility>

#include "check.h"

__global__ void count(int* total, int* largest,
                      cuda::atomic<int, cuda::thread_scope_device>* hits) {
    const int i = threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(*total);
    sum.fetch_add(i, cuda::std::memory_order_relaxed);
    cuda::atomic_ref<int> most(*largest);
    most.fetch_max(i);
    if (i % 2 == 0) hits->fetch_add(1);
    cuda::std::array<int, 2> pair{i, cuda::std::numeric_limits<int>::max()};
    const auto both = cuda::std::make_tuple(pair[0], 1);
    if (cuda::std::plus<int>()(cuda::std::get<0>(both), cuda::std::get<1>(both)) == 32) (*hits)++;
}

int main() {
    int* x;
    cuda::atomic<int, cuda::thread_scope_device>* hits;
    cudaMallocManaged(&x, 2 * sizeof *x);
    cudaMallocManaged(&hits, sizeof *hits);
    x[0] = x[1] = 0;
    new (hits) cuda::atomic<int, cuda::thread_scope_device>(0);
    count<<<1, 64>>>(x, x + 1, hits);
    cudaDeviceSynchronize();
    CHECK(x[0] == 63 * 32 && x[1] == 63 && *hits == 33);
    cudaFree(x);
    cudaFree(hits);
    return failures;
}
