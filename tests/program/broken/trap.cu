// says: calls __trap(), on line 4
// ends: exit 0
__global__ void k(const int* x) {
    if (x[threadIdx.x] == 0) __trap();
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
