// exercise: reduction
// says: no findings
#include <cuda_runtime.h>

__global__ void sums_kernel(const float* in, float* out) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (t < step) part[t] += part[t + step];
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

void sums(const float* in, float* out, int blocks) { sums_kernel<<<blocks, 256>>>(in, out); }
