// says: Thread 0 of block 0 calls memset(), whose accesses are not counted, on line 8.
// ends: exit 0
// kind: other
#include <cstdio>
#include <cstring>
// What memset() writes counts as written.
__global__ void clear(int* x, int n) {
    if (threadIdx.x == 0) memset(x, 0, n * sizeof *x);
    __syncthreads();
    x[threadIdx.x] += 1;
}
int main() {
    int *x, host[32];
    cudaMalloc(&x, sizeof host);
    clear<<<1, 32>>>(x, 32);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[31]);
    cudaFree(x);
}
