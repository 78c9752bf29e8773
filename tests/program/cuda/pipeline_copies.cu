// Asynchronous copies: __pipeline_*, cuda::pipeline, cooperative_groups::memcpy_async.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/pipeline>

#include "check.h"
namespace cg = cooperative_groups;

constexpr int kTile = 64, kTiles = 6;
__global__ void primitives(const float4* in, float* out) {
    __shared__ float4 tile[2][kTile / 4];
    const int i = threadIdx.x;  // 16 threads, 16 bytes each
    __pipeline_memcpy_async(&tile[0][i], &in[i], 16);
    __pipeline_commit();
    for (int t = 0; t < kTiles; ++t) {
        if (t + 1 < kTiles)
            __pipeline_memcpy_async(&tile[(t + 1) % 2][i], &in[(t + 1) * kTile / 4 + i],
                                    sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        const float4 v = tile[t % 2][15 - i];
        out[t * 16 + i] = v.x + v.w;
        __syncthreads();
    }
}
__global__ void block_pipeline(const int* in, int* out) {
    __shared__ alignas(16) int tile[2][kTile];  // as aligned_size_t<16> promises
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int t = 0; t < kTiles + 1; ++t) {
        if (t < kTiles) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[t % 2], in + t * kTile,
                               cuda::aligned_size_t<16>(sizeof(int) * kTile), pipe);
            pipe.producer_commit();
        }
        if (t == 0) continue;
        pipe.consumer_wait();
        for (int i = threadIdx.x; i < kTile; i += blockDim.x)
            out[(t - 1) * kTile + i] = tile[(t - 1) % 2][kTile - 1 - i];
        pipe.consumer_release();
    }
}
__global__ void group_copy(const int* in, int* out) {
    __shared__ int tile[kTile];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * kTile);
    cg::wait(block);
    out[threadIdx.x] = tile[kTile - 1 - threadIdx.x];
}
__global__ void thread_pipeline(const int* in, int* out) {
    __shared__ int tile[32];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[threadIdx.x] = tile[threadIdx.x] + 1;
    pipe.consumer_release();
}

int main() {
    float *in, *out;
    cudaMallocManaged(&in, kTile * kTiles * sizeof *in);
    cudaMallocManaged(&out, 16 * kTiles * sizeof *out);
    for (int i = 0; i < kTile * kTiles; ++i) in[i] = i;
    primitives<<<1, 16>>>((const float4*)in, out);
    cudaDeviceSynchronize();
    for (int t = 0; t < kTiles; ++t)
        for (int i = 0; i < 16; ++i) CHECK(out[t * 16 + i] == 2 * (t * kTile + 4 * (15 - i)) + 3);

    int *whole, *turned;
    cudaMallocManaged(&whole, kTile * kTiles * sizeof *whole);
    cudaMallocManaged(&turned, kTile * kTiles * sizeof *turned);
    for (int i = 0; i < kTile * kTiles; ++i) whole[i] = 3 * i;
    block_pipeline<<<1, 32>>>(whole, turned);
    cudaDeviceSynchronize();
    for (int i = 0; i < kTile * kTiles; ++i)
        CHECK(turned[i] == 3 * (i / kTile * kTile + kTile - 1 - i % kTile));
    group_copy<<<1, kTile>>>(whole, turned);
    cudaDeviceSynchronize();
    for (int i = 0; i < kTile; ++i) CHECK(turned[i] == 3 * (kTile - 1 - i));
    thread_pipeline<<<1, 32>>>(whole, turned);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) CHECK(turned[i] == 3 * i + 1);
    for (void* p : {(void*)in, (void*)out, (void*)whole, (void*)turned}) cudaFree(p);
    return failures;
}
