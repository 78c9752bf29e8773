// says: Thread 0 of block 0 reads y[0] on line 9, but nothing has written it; the launch reads 64 such elements, y[0] to y[63].
// ends: exit 0
// kind: uninitialised read
__global__ void fill(float* x) {
    x[blockIdx.x * 32 + threadIdx.x] = 1;
}
__global__ void axpy(float a, const float* x, float* y) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    y[i] += a * x[i];
}
int main() {
    float *x, *y;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMalloc(&y, 64 * sizeof *y);
    fill<<<2, 32>>>(x);
    axpy<<<2, 32>>>(2, x, y);
    axpy<<<2, 32>>>(2, x, y);  // reads what the first one wrote
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
