// out[i] = 2 in[i]. The exercise: first_kernel.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale_kernel(const float* in, float* out, int n) {
    int i = threadIdx.x;
    out[i] = 2 * in[i];
}

void scale(const float* in, float* out, int n) {
    int threads = 128;
    scale_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}

// Tries it at one size. The check has a main() of its own.
int main() {
    const int n = 500;
    std::vector<float> values(n, 1.5f), doubled(n);
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    scale(in, out, n);
    cudaMemcpy(doubled.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < n; ++i) right += doubled[i] == 3;
    printf("%d of %d right\n", right, n);
    cudaFree(in);
    cudaFree(out);
}
