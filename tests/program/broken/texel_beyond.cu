// says: reads element 32 of a texture of 32 with tex1Dfetch
// ends: exit 0
// kind: other
#include <cstdio>
__global__ void shift(cudaTextureObject_t t, float* to) {
    to[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x + 1);
}
int main() {
    float *from, *to, host[32];
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    cudaMemset(from, 0, sizeof host);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = from;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = sizeof host;
    cudaTextureDesc desc = {};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &desc, nullptr);
    shift<<<1, 32>>>(texture, to);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[31]);
    cudaDestroyTextureObject(texture);
    cudaFree(from);
    cudaFree(to);
}
