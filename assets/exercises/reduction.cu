// The sum of each 256 elements. The exercise: reduction.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sums_kernel(const float* in, float* out) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (t % (2 * step) == 0) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

void sums(const float* in, float* out, int blocks) { sums_kernel<<<blocks, 256>>>(in, out); }

// Tries it at one size. The check has a main() of its own.
int main() {
    const int blocks = 10;
    std::vector<float> values(256 * blocks, 0.5f), totals(blocks);
    float *in, *out;
    cudaMalloc(&in, 256 * blocks * sizeof(float));
    cudaMalloc(&out, blocks * sizeof(float));
    cudaMemcpy(in, values.data(), 256 * blocks * sizeof(float), cudaMemcpyHostToDevice);
    sums(in, out, blocks);
    cudaMemcpy(totals.data(), out, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < blocks; ++i) right += totals[i] == 128;
    printf("%d of %d right\n", right, blocks);
    cudaFree(in);
    cudaFree(out);
}
