// __syncthreads and its _count, _and, _or; __syncwarp; fences.
#include "check.h"

__global__ void votes(int* out) {
    const int i = threadIdx.x;
    __shared__ int turned[96];
    turned[i] = i;
    __syncthreads();
    out[i] = turned[95 - i];
    const int odd = __syncthreads_count(i % 2);
    const int all = __syncthreads_and(i < 96), none = __syncthreads_and(i < 95);
    const int any = __syncthreads_or(i == 95), nobody = __syncthreads_or(i == 96);
    if (i == 0) {
        out[96] = odd;
        out[97] = (all != 0) + 2 * (none != 0) + 4 * (any != 0) + 8 * (nobody != 0);
    }
    __threadfence();
    __threadfence_block();
}
__global__ void within_warps(int* out) {
    __shared__ int s[64];
    const int i = threadIdx.x;
    s[i] = i;
    __syncwarp();
    const int other = s[i ^ 1];
    __syncwarp();
    s[i] = other * 2;
    __syncwarp(0xffffffff);
    out[i] = s[i / 32 * 32 + 31 - i % 32];
}

int main() {
    int* out;
    cudaMallocManaged(&out, 98 * sizeof *out);
    votes<<<1, 96>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 96; ++i) CHECK(out[i] == 95 - i);
    CHECK(out[96] == 48 && out[97] == 1 + 4);
    within_warps<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) CHECK(out[i] == ((i / 32 * 32 + 31 - i % 32) ^ 1) * 2);
    cudaFree(out);
    return failures;
}
