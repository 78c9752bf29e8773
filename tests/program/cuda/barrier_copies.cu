// cuda::barrier: arrive and wait, phases, copies that it waits for.
#include <cooperative_groups.h>

#include <cuda/barrier>

#include "check.h"
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void split(const int* in, int* out, int rounds) {
    __shared__ barrier bar;
    __shared__ int tile[64];
    const auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
        tile[threadIdx.x] = in[threadIdx.x] + r;
        barrier::arrival_token token = bar.arrive();
        sum += r;  // work that needs no other thread
        bar.wait(std::move(token));
        sum += tile[63 - threadIdx.x];
        bar.arrive_and_wait();
    }
    out[threadIdx.x] = sum;
}
__global__ void copied(const int* in, int* out) {
    __shared__ barrier bar;
    __shared__ alignas(16) int tile[64];
    const auto block = cooperative_groups::this_thread_block();
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof *in);
    cudaMallocManaged(&out, 64 * sizeof *out);
    for (int i = 0; i < 64; ++i) in[i] = 5 * i;
    split<<<1, 64>>>(in, out, 3);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 64; ++i) CHECK(out[i] == 3 * 5 * (63 - i) + 2 * (0 + 1 + 2));
    copied<<<2, 64>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) CHECK(out[i] == 5 * (63 - i));
    cudaFree(in);
    cudaFree(out);
    return failures;
}
