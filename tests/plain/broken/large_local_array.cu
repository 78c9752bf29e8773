// says: runs out of its stack
// ends: exit 0
__global__ void k(int* x, int n) {
    volatile int local[1 << 17];
    for (int i = 0; i < n; ++i) local[i] = i;
    x[threadIdx.x] = local[n - 1];
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 1>>>(x, 1 << 17);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
