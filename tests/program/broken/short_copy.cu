// says: Thread 16 of block 0 reads in[16] on line 8, but nothing has written it; the launch reads 48 such elements, in[16] to in[63]. Only 64 of the 256 bytes of the array, allocated on line 13, were written before the launch: check the sizes of the copies, which are in bytes.
// ends: exit 0
// kind: uninitialised read
#include <vector>

__global__ void twice(const float* in, float* out) {
    const int i = threadIdx.x;
    out[i] = 2 * in[i];
}
int main() {
    std::vector<float> host(64, 1);
    float *in, *out;
    cudaMalloc(&in, host.size() * sizeof(float));
    cudaMalloc(&out, host.size() * sizeof(float));
    cudaMemcpy(in, host.data(), host.size(), cudaMemcpyHostToDevice);
    twice<<<1, 64>>>(in, out);
    cudaMemcpy(host.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
