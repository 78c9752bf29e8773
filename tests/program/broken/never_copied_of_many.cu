// says: Thread 0 of block 0 reads in[0] on line 6, but nothing has written it; the launch reads 32 such elements
// ends: exit 0
// kind: uninitialised read
#include <cstdio>
// Of 1000 allocations, one that is read has no content.
__global__ void twice(const float* in, float* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
int main() {
    float *all[1000], host[32];
    for (float*& each : all) cudaMalloc(&each, sizeof host);
    for (int i = 0; i < 1000; i += 3) cudaMemset(all[i], 0, sizeof host);
    twice<<<1, 32>>>(all[999], all[998]);
    twice<<<1, 32>>>(all[501], all[2]);
    twice<<<1, 32>>>(all[2], all[4]);
    twice<<<1, 32>>>(all[700], all[701]);
    cudaMemcpy(host, all[4], sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%f\n", host[0]);
    for (float* const each : all) cudaFree(each);
}
