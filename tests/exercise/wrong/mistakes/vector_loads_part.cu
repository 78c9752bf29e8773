// exercise: vector_loads
// says: should be
#include <cuda_runtime.h>

__global__ void scale_kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4) return;
    float4 value = reinterpret_cast<const float4*>(in)[i];
    value.x *= 3;
    value.y *= 3;
    value.z *= 3;
    reinterpret_cast<float4*>(out)[i] = value;
}

void scale(const float* in, float* out, int n) {
    int threads = 128;
    scale_kernel<<<(n / 4 + threads - 1) / threads, threads>>>(in, out, n);
}
