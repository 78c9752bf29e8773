// exercise: first_kernel
// says: is never stored
#include <cuda_runtime.h>

__global__ void scale_kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

void scale(const float* in, float* out, int n) {
    int threads = 128;
    scale_kernel<<<1, threads>>>(in, out, n);
}
