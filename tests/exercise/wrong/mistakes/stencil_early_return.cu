// exercise: stencil
// says: out[
#include <cuda_runtime.h>

__global__ void blur_kernel(const float* in, float* out, int n) {
    __shared__ float part[136];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (i >= n) return;
    if (i < n + 8) part[t] = in[i];
    if (t < 8 && i + 128 < n + 8) part[t + 128] = in[i + 128];
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int j = 0; j < 9; ++j) sum += part[t + j];
    out[i] = sum / 9;
}

void blur(const float* in, float* out, int n) { blur_kernel<<<(n + 127) / 128, 128>>>(in, out, n); }
