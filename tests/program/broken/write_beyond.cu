// says: Thread 4 of block 3 writes x[100], 1 element beyond the last of its 100, on line 5
// ends: exit 0
__global__ void fill(float* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
}
int main() {
    float* x;
    cudaMalloc(&x, 100 * sizeof *x);
    fill<<<4 + 1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
