// A cuda::barrier that waits for the bytes of bulk copies: all threads arrive, and one of them also
// announces the bytes. Source: CUDA C++ Programming Guide, "Tensor Memory Access".
#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

#include "check.h"
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device;

// Each block copies boxes of 16 rows of 32 integers. Each thread adds up its element of every box,
// counted from the last.
__global__ void turn_over(const __grid_constant__ CUtensorMap map, int* out, int rounds) {
    __shared__ alignas(128) int box[16][32];
    __shared__ barrier bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
        barrier::arrival_token token;
        if (threadIdx.x == 0) {
            if (r % 2 == 0)
                cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global,
                                                box, &map, {32 * int(blockIdx.x), 16 * r},
                                                cde::barrier_native_handle(bar));
            else
                cde::experimental::cp_async_bulk_tensor_2d_global_to_shared(
                    box, &map, 32 * blockIdx.x, 16 * r, bar);
            token = cde::barrier_arrive_tx(bar, 1, sizeof box);
        } else {
            token = bar.arrive();
        }
        bar.wait(std::move(token));
        sum += box[15 - threadIdx.x / 32][31 - threadIdx.x % 32];
        bar.arrive_and_wait();  // the box has been read
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void bytes(const int* in, int* out) {
    __shared__ alignas(16) int part[64];
    __shared__ barrier bar;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        cde::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::memcpy_async_tx(part, in + 64 * blockIdx.x, cuda::aligned_size_t<16>(sizeof part),
                             bar);
        cde::barrier_expect_tx(bar, sizeof part);
    }
    bar.arrive_and_wait();
    out[64 * blockIdx.x + threadIdx.x] = part[63 - threadIdx.x];
}

// A thread that leaves does not arrive any more.
__global__ void leave(int* out) {
    __shared__ barrier bar;
    __shared__ int value;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 40) {
        value = 7;
        bar.arrive_and_drop();
        return;
    }
    bar.arrive_and_wait();
    out[threadIdx.x] = value;
    bar.arrive_and_wait();
    if (threadIdx.x == 0) value = 8;
    bar.arrive_and_wait();
    out[threadIdx.x] += value;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 48 * 64 * sizeof *in);
    cudaMallocManaged(&out, 1024 * sizeof *out);
    for (int i = 0; i < 48 * 64; ++i) in[i] = i;
    void* encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                           cudaEnableDefault, &found) == cudaSuccess);
    CUtensorMap map;
    const cuuint64_t extents[] = {64, 48}, strides[] = {64 * sizeof(int)};
    const cuuint32_t box[] = {32, 16}, steps[] = {1, 1};
    CHECK(((decltype(&cuTensorMapEncodeTiled))encode)(
              &map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, in, extents, strides, box, steps,
              CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
              CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    turn_over<<<2, 512>>>(map, out, 3);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int b = 0; b < 2; ++b)
        for (int t = 0; t < 512; ++t) {
            const int at = (15 - t / 32) * 64 + 32 * b + 31 - t % 32;
            CHECK(out[b * 512 + t] == 3 * at + (16 + 32) * 64);
        }
    bytes<<<4, 64>>>(in, out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 256; ++i) CHECK(out[i] == i / 64 * 64 + 63 - i % 64);
    leave<<<1, 64>>>(out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 64; ++i) CHECK(i == 40 || out[i] == 15);
    cudaFree(in);
    cudaFree(out);
    return failures;
}
