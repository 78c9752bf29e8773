// Kernels that run in each exact order of threads (left_out_barrier.h). The line of the barrier to
// leave out has no barrier, so all barriers stay in.
#include <cuda_runtime.h>

#include "arrays.h"
#include "kernels/ladder/04_guide_a_shared.cu"
#include "kernels/ladder/10_tiled_any_size.cu"
#include "kernels/ladder/14_outer_product_prefetch.cu"
#include "kernels/ladder/16_vectorized.cu"
#include "kernels/ladder/19_async_pipeline.cu"
#include "tilereel/left_out_barrier.h"

constexpr unsigned kLineWithoutBarrier = 60000;
constexpr unsigned kOrders = 4;  // as ThreadOrder numbers them

// Two warps repeatedly add 1 to a cell.
__global__ void count(const float* A, const float* B, float* C) {
    __shared__ float Cell;
    const unsigned warp = threadIdx.x / 32;
    if (threadIdx.x == 0) Cell = 0.0f;
    __syncthreads();
    if (threadIdx.x % 32 != 0) return;
    for (int i = 0; i < 4; ++i) {
        const float value = Cell;
        Cell = value + 1.0f;
        C[warp * 4 + i] = value;
    }
}

// Each lane adds 1 to a cell.
__global__ void add_one(const float* A, const float* B, float* C) {
    __shared__ float Cell;
    if (threadIdx.x == 0) Cell = 0.0f;
    __syncthreads();
    const float value = Cell;
    Cell = value + 1.0f;
    C[threadIdx.x] = value;
}

// Branches, loops of different lengths, wide accesses, both kinds of barrier, early returns.
__global__ void irregular(const float* A, const float* B, float* C) {
    __shared__ float Rows[3][64];
    const unsigned i = threadIdx.x, warp = i / 32;
    float even = 0, odd = 0;
    if (i == 70) return;
    Rows[0][i % 64] = 1.0f;
    __syncthreads();
    for (unsigned k = 0; k < i * 7 % 5; ++k) {
        float x = (i + k) % 3 == 0 ? B[i * k] : A[(i * 37 + k * 11) % 100];
        if ((i ^ k) % 2 == 0)
            C[i] = x;
        else
            even += A[i] * B[k];
    }
    if (warp < 2) Rows[1 + warp][i % 32] = even;
    __syncwarp();
    if (warp < 2) C[96 + i] = Rows[1 + warp][(i + 1) % 32];
    __syncthreads();
    if (i % 4 == 3) return;
    if (i >= 64)
        odd += A[i] * B[i];
    else
        for (unsigned k = 0; k < 3; ++k) odd += Rows[0][k] * A[k];
    __syncthreads();
    C[192 + i] = odd;
    if (i < 4) ((float4*)(C + 400))[i] = ((const float4*)A)[3 - i];
}

using Product = void (*)(const float*, const float*, float*, int, int, int);

// First as any program runs, then in each order.
template <class Run>
void run_in_each_order(Run run) {
    run();
    for (unsigned order = 0; order < kOrders; ++order) {
        tilereel::runtime::leave_out_barrier(kLineWithoutBarrier, order);
        run();
    }
    tilereel::runtime::leave_out_barrier(0, 0);
}

inline void launch_product(Product product, int m, int n, int k) {
    float* c;
    cudaMalloc(&c, m * n * sizeof(float));
    product(array_a, array_b, c, m, n, k);
    cudaDeviceSynchronize();
    cudaFree(c);
}

inline void launch_orders() {
    run_in_each_order([] { launch(count, 64); });
    run_in_each_order([] { launch(add_one, 48); });
    run_in_each_order([] { launch(irregular, 90, 3); });
    run_in_each_order([] { launch_product(launch_guide_a_shared<8, 1>, 24, 16, 8); });
    run_in_each_order([] { launch_product(launch_tiled_any_size<4, 0>, 13, 21, 7); });
    run_in_each_order([] { launch_product(launch_outer_product_prefetch<16, 1>, 16, 64, 16); });
    run_in_each_order([] { launch_product(launch_vectorized<16, 0>, 32, 16, 16); });
    run_in_each_order([] { launch_product(launch_async_pipeline<16>, 32, 32, 32); });
}
