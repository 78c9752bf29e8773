// exercise: first_kernel
// says: a call of
#include <cuda_runtime.h>

__global__ void k(cudaTextureObject_t in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * tex1Dfetch<float>(in, i);
}
void scale(const float* in, float* out, int n) {
    cudaResourceDesc from = {};
    from.resType = cudaResourceTypeLinear;
    from.res.linear.devPtr = const_cast<float*>(in);
    from.res.linear.desc = cudaCreateChannelDesc<float>();
    from.res.linear.sizeInBytes = n * sizeof(float);
    cudaTextureDesc how = {};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &from, &how, nullptr);
    k<<<(n + 127) / 128, 128>>>(texture, out, n);
}
