// Blocks that order their accesses to global memory: the last block sums up, a lock, a chain of
// volatile flags, compaction by an atomic counter. None of them has a race.
#include "check.h"

constexpr int kBlocks = 8, kThreads = 64;
__device__ unsigned int arrived = 0;
__device__ int lock = 0, guarded = 0;

__global__ void sum_by_the_last_block(const int* in, int* partial, int* sum) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        int own = 0;
        for (int i = 0; i < kThreads; ++i) own += in[blockIdx.x * kThreads + i];
        partial[blockIdx.x] = own;
        __threadfence();
        last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (int i = 0; i < gridDim.x; ++i) all += partial[i];
        *sum = all;
        arrived = 0;
    }
}

__global__ void count_under_a_lock() {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    guarded = guarded + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

__global__ void chain(const int* in, int* prefix, volatile int* flags) {
    if (threadIdx.x != 0) return;
    int before = 0;
    if (blockIdx.x > 0) {
        while (flags[blockIdx.x - 1] == 0) {
        }
        __threadfence();
        before = prefix[blockIdx.x - 1];
    }
    prefix[blockIdx.x] = before + in[blockIdx.x];
    __threadfence();
    flags[blockIdx.x] = 1;
}

__global__ void keep_odd(const int* in, int* out, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 2 == 1) out[atomicAdd(count, 1)] = in[i];
}

int main() {
    const int n = kBlocks * kThreads;
    int host[n], *in, *partial, *flags, *out;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&partial, (kBlocks + 1) * sizeof(int));
    cudaMalloc(&flags, (kBlocks + 1) * sizeof(int));
    cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
    sum_by_the_last_block<<<kBlocks, kThreads>>>(in, partial, partial + kBlocks);
    int sum = 0, counted = 0;
    cudaMemcpy(&sum, partial + kBlocks, sizeof sum, cudaMemcpyDeviceToHost);
    CHECK(sum == n * (n - 1) / 2);
    count_under_a_lock<<<kBlocks, kThreads>>>();
    cudaMemcpyFromSymbol(&counted, guarded, sizeof counted);
    CHECK(counted == kBlocks);
    cudaMemset(flags, 0, (kBlocks + 1) * sizeof(int));
    chain<<<kBlocks, kThreads>>>(in, partial, flags);
    cudaMemcpy(&sum, partial + kBlocks - 1, sizeof sum, cudaMemcpyDeviceToHost);
    CHECK(sum == kBlocks * (kBlocks - 1) / 2);
    keep_odd<<<kBlocks, kThreads>>>(in, out, flags + kBlocks);
    cudaMemcpy(&counted, flags + kBlocks, sizeof counted, cudaMemcpyDeviceToHost);
    CHECK(counted == n / 2);
    cudaFree(in);
    cudaFree(out);
    cudaFree(partial);
    cudaFree(flags);
    return failures;
}
