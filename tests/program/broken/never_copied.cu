// says: Thread 0 of block 0 reads in[0] on line 7, but nothing has written it; the launch reads 64 such elements, in[0] to in[63]. cudaMalloc does not clear memory: fill the array, allocated on line 11, with cudaMemcpy, or clear it with cudaMemset.
// ends: exit 0
// kind: uninitialised read
#include <cstdio>

__global__ void twice(const float* in, float* out) {
    out[blockIdx.x * 32 + threadIdx.x] = 2 * in[blockIdx.x * 32 + threadIdx.x];
}
int main() {
    float *in, *out, host[64];
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    twice<<<2, 32>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%f\n", host[0]);
    cudaFree(in);
    cudaFree(out);
}
