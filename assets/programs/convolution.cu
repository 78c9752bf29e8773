// A convolution of 1,000 values with a mask of 5 in constant memory, by tiles with a halo.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kRadius = 2, kBlock = 64, kCount = 1000;
__constant__ float mask[2 * kRadius + 1];

__global__ void convolve(const float* in, float* out, int n) {
    __shared__ float tile[kBlock + 2 * kRadius];
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + kRadius;
    tile[at] = i < n ? in[i] : 0;
    if (threadIdx.x < kRadius) {
        int left = i - kRadius, right = i + blockDim.x;
        tile[at - kRadius] = left >= 0 ? in[left] : 0;
        tile[at + blockDim.x] = right < n ? in[right] : 0;
    }
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int k = -kRadius; k <= kRadius; ++k) sum += mask[k + kRadius] * tile[at + k];
    out[i] = sum;
}

int main() {
    float host_mask[2 * kRadius + 1] = {1, 2, 3, 2, 1};
    std::vector<float> a(kCount), b(kCount);
    for (int i = 0; i < kCount; ++i) a[i] = static_cast<float>(i % 11);
    float *in, *out;
    cudaMalloc((void**)&in, kCount * sizeof(float));
    cudaMalloc((void**)&out, kCount * sizeof(float));
    cudaMemcpy(in, a.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(mask, host_mask, sizeof host_mask);
    convolve<<<(kCount + kBlock - 1) / kBlock, kBlock>>>(in, out, kCount);
    cudaMemcpy(b.data(), out, kCount * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < kCount; ++i) {
        float sum = 0;
        for (int k = -kRadius; k <= kRadius; ++k)
            if (i + k >= 0 && i + k < kCount) sum += host_mask[k + kRadius] * a[i + k];
        wrong += sum != b[i];
    }
    cudaFree(in);
    cudaFree(out);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
