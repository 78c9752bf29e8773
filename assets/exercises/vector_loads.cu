// out[i] = 3 in[i]. The exercise: vector_loads.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale_kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * in[i];
}

void scale(const float* in, float* out, int n) {
    int threads = 128;
    scale_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}

// Tries it at one size. The check has a main() of its own.
int main() {
    const int n = 1024;
    std::vector<float> values(n, 1.5f), tripled(n);
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    scale(in, out, n);
    cudaMemcpy(tripled.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < n; ++i) right += tripled[i] == 4.5f;
    printf("%d of %d right\n", right, n);
    cudaFree(in);
    cudaFree(out);
}
