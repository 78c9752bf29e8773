// exercise: first_kernel
// says: does too much
#include <cuda_runtime.h>

__global__ void k(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}
void scale(const float* in, float* out, int n) {
    for (int i = 0; i < 1000; ++i) k<<<1024, 1024>>>(in, out, n);
}
