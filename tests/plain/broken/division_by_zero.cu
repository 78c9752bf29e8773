// says: divides an integer by 0
// ends: exit 0
__global__ void divide(const int* a, const int* b, int* c) {
    const int n = b[threadIdx.x];
    c[threadIdx.x] = a[threadIdx.x] / n;
}
int main() {
    int* x;
    cudaMalloc(&x, 3 * 128);
    cudaMemset(x, 0, 3 * 128);
    divide<<<1, 32>>>(x, x + 32, x + 64);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
