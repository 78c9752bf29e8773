// The sum of 2,048 floats in seven ways, from the first idea to the last refinement
// (M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007).
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

constexpr int kCount = 2048, kThreads = 128;

__global__ void divergent(const float* in, float* out) {
    __shared__ float part[kThreads];
    int tid = threadIdx.x;
    part[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = part[0];
}

__global__ void strided(const float* in, float* out) {
    __shared__ float part[kThreads];
    int tid = threadIdx.x;
    part[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        int at = 2 * s * tid;
        if (at < blockDim.x) part[at] += part[at + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = part[0];
}

__global__ void sequential(const float* in, float* out) {
    __shared__ float part[kThreads];
    int tid = threadIdx.x;
    part[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = part[0];
}

__global__ void first_add(const float* in, float* out) {
    __shared__ float part[kThreads];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x * 2 + tid;
    part[tid] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = part[0];
}

__device__ void last_warp(float* part, int tid) {
    for (int s = 32; s > 0; s /= 2) {
        float other = part[tid + s];
        __syncwarp();
        part[tid] += other;
        __syncwarp();
    }
}

__global__ void unrolled_warp(const float* in, float* out) {
    __shared__ float part[kThreads];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x * 2 + tid;
    part[tid] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 32; s /= 2) {
        if (tid < s) part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid < 32) last_warp(part, tid);
    if (tid == 0) out[blockIdx.x] = part[0];
}

template <int kBlock>
__global__ void unrolled(const float* in, float* out) {
    __shared__ float part[kBlock];
    int tid = threadIdx.x;
    int i = blockIdx.x * kBlock * 2 + tid;
    part[tid] = in[i] + in[i + kBlock];
    __syncthreads();
    if (kBlock >= 256) {
        if (tid < 128) part[tid] += part[tid + 128];
        __syncthreads();
    }
    if (kBlock >= 128) {
        if (tid < 64) part[tid] += part[tid + 64];
        __syncthreads();
    }
    if (tid < 32) last_warp(part, tid);
    if (tid == 0) out[blockIdx.x] = part[0];
}

template <int kBlock>
__global__ void many_each(const float* in, float* out, int n) {
    __shared__ float part[kBlock];
    int tid = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * kBlock + tid; i < n; i += kBlock * gridDim.x) sum += in[i];
    part[tid] = sum;
    __syncthreads();
    if (kBlock >= 128) {
        if (tid < 64) part[tid] += part[tid + 64];
        __syncthreads();
    }
    if (tid < 32) last_warp(part, tid);
    if (tid == 0) out[blockIdx.x] = part[0];
}

float total(const float* device, int count) {
    float host[kCount];
    cudaMemcpy(host, device, count * sizeof(float), cudaMemcpyDeviceToHost);
    float sum = 0;
    for (int i = 0; i < count; ++i) sum += host[i];
    return sum;
}

int main() {
    float host[kCount], expected = 0, *in, *out;
    for (int i = 0; i < kCount; ++i) expected += host[i] = static_cast<float>(i % 7);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, kCount * sizeof(float));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    constexpr int kBlocks = kCount / kThreads;
    int wrong = 0;
    auto check = [&](const char* name, int blocks) {
        float sum = total(out, blocks);
        if (sum != expected) ++wrong, printf("%s: %g instead of %g\n", name, sum, expected);
    };
    divergent<<<kBlocks, kThreads>>>(in, out);
    check("divergent", kBlocks);
    strided<<<kBlocks, kThreads>>>(in, out);
    check("strided", kBlocks);
    sequential<<<kBlocks, kThreads>>>(in, out);
    check("sequential", kBlocks);
    first_add<<<kBlocks / 2, kThreads>>>(in, out);
    check("first_add", kBlocks / 2);
    unrolled_warp<<<kBlocks / 2, kThreads>>>(in, out);
    check("unrolled_warp", kBlocks / 2);
    unrolled<kThreads><<<kBlocks / 2, kThreads>>>(in, out);
    check("unrolled", kBlocks / 2);
    many_each<kThreads><<<4, kThreads>>>(in, out, kCount);
    check("many_each", 4);
    cudaFree(in);
    cudaFree(out);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
