// exercise: first_kernel
// says: does too much
#include <cuda_runtime.h>

__global__ void k(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int again = 0; again < 20000; ++again) out[i] = 2 * in[i];
}
void scale(const float* in, float* out, int n) { k<<<(n + 127) / 128, 128>>>(in, out, n); }
