// exercise: vector_loads
// says: global_load.requests is
#include <cuda_runtime.h>

__global__ void scale_kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    float2 value = reinterpret_cast<const float2*>(in)[i];
    value.x *= 3;
    value.y *= 3;
    reinterpret_cast<float2*>(out)[i] = value;
}

void scale(const float* in, float* out, int n) {
    int threads = 128;
    scale_kernel<<<(n / 2 + threads - 1) / threads, threads>>>(in, out, n);
}
