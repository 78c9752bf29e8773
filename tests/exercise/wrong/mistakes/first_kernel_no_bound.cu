// exercise: first_kernel
// says: beyond the last of its
#include <cuda_runtime.h>

__global__ void scale_kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}

void scale(const float* in, float* out, int n) {
    int threads = 128;
    scale_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
