// says: Thread 0 of block 0 reads sum[0] on line 7, but nothing has written it. cudaMalloc does not clear memory
// ends: exit 0
// kind: uninitialised read
#include <cstdio>

__global__ void count(int* sum) {
    atomicAdd(sum, 1);
}
int main() {
    int *sum, host = 0;
    cudaMalloc(&sum, sizeof host);
    count<<<4, 32>>>(sum);
    cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host);
    cudaFree(sum);
}
