// The running sums of 512 integers in one block: step by step, and by a tree up and down
// (M. Harris, S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, ch. 39).
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kCount = 512;

__global__ void step_by_step(const int* in, int* out) {
    extern __shared__ int sums[];
    int tid = threadIdx.x, from = 0, to = 1;
    sums[tid] = in[tid];
    __syncthreads();
    for (int offset = 1; offset < kCount; offset *= 2) {
        int sum = sums[from * kCount + tid];
        if (tid >= offset) sum += sums[from * kCount + tid - offset];
        sums[to * kCount + tid] = sum;
        to = from;
        from = 1 - to;
        __syncthreads();
    }
    out[tid] = sums[from * kCount + tid];
}

__global__ void by_tree(const int* in, int* out) {
    extern __shared__ int sums[];
    int tid = threadIdx.x, offset = 1;
    sums[2 * tid] = in[2 * tid];
    sums[2 * tid + 1] = in[2 * tid + 1];
    for (int d = kCount / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) sums[offset * (2 * tid + 2) - 1] += sums[offset * (2 * tid + 1) - 1];
        offset *= 2;
    }
    if (tid == 0) sums[kCount - 1] = 0;
    for (int d = 1; d < kCount; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (tid < d) {
            int left = offset * (2 * tid + 1) - 1, right = offset * (2 * tid + 2) - 1;
            int t = sums[left];
            sums[left] = sums[right];
            sums[right] += t;
        }
    }
    __syncthreads();
    out[2 * tid] = sums[2 * tid];
    out[2 * tid + 1] = sums[2 * tid + 1];
}

int main() {
    std::vector<int> a(kCount), b(kCount);
    for (int i = 0; i < kCount; ++i) a[i] = i % 5 + 1;
    int *in, *out, wrong = 0;
    cudaMalloc(&in, kCount * sizeof(int));
    cudaMalloc(&out, kCount * sizeof(int));
    cudaMemcpy(in, a.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
    auto check = [&](bool inclusive) {
        cudaMemcpy(b.data(), out, kCount * sizeof(int), cudaMemcpyDeviceToHost);
        for (int i = 0, sum = 0; i < kCount; ++i) {
            if (inclusive) sum += a[i];
            wrong += b[i] != sum;
            if (!inclusive) sum += a[i];
        }
    };
    step_by_step<<<1, kCount, 2 * kCount * sizeof(int)>>>(in, out);
    check(true);
    by_tree<<<1, kCount / 2, kCount * sizeof(int)>>>(in, out);
    check(false);
    cudaFree(in);
    cudaFree(out);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
