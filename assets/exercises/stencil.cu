// The mean of nine neighbours. The exercise: stencil.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void blur_kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int j = 0; j < 9; ++j) sum += in[i + j];
    out[i] = sum / 9;
}

void blur(const float* in, float* out, int n) { blur_kernel<<<(n + 127) / 128, 128>>>(in, out, n); }

// Tries it at one size. The check has a main() of its own.
int main() {
    const int n = 700;
    std::vector<float> values(n + 8, 9), means(n);
    float *in, *out;
    cudaMalloc(&in, (n + 8) * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, values.data(), (n + 8) * sizeof(float), cudaMemcpyHostToDevice);
    blur(in, out, n);
    cudaMemcpy(means.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < n; ++i) right += means[i] == 9;
    printf("%d of %d right\n", right, n);
    cudaFree(in);
    cudaFree(out);
}
