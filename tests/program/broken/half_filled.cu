// says: Thread 0 of block 1 reads x[32] on line 8, but nothing has written it; the launch reads 32 such elements, x[32] to x[63].
// ends: exit 0
// kind: uninitialised read
__global__ void fill(float* x) {
    x[blockIdx.x * 32 + threadIdx.x] = 1;
}
__global__ void twice(const float* x, float* y) {
    y[blockIdx.x * 32 + threadIdx.x] = 2 * x[blockIdx.x * 32 + threadIdx.x];
}
int main() {
    float *x, *y;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMalloc(&y, 64 * sizeof *y);
    fill<<<1, 32>>>(x);
    twice<<<2, 32>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
