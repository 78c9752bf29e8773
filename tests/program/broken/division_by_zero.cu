// says: Thread 0 of block 0 divides an integer by 0, on line 6 (3200 times in all)
// ends: exit 0
// kind: other
__global__ void divide(const int* a, const int* b, int* c) {
    const int n = b[threadIdx.x];
    c[threadIdx.x] = a[threadIdx.x] / n;
}
__global__ void after(int* c) { c[threadIdx.x] = 5; }
int main() {
    int *x, host = 0;
    cudaMalloc(&x, 3 * 128);
    cudaMemset(x, 0, 3 * 128);
    divide<<<100, 32>>>(x, x + 32, x + 64);
    int failed = cudaDeviceSynchronize() != cudaSuccess;
    after<<<1, 32>>>(x + 64);
    cudaMemcpy(&host, x + 64, 4, cudaMemcpyDeviceToHost);
    failed += host != 5;
    cudaFree(x);
    return failed;
}
