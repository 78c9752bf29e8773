// says: Thread 0 of block 0 reads x[-1], 1 element before the first of its 32, on line 4
// ends: exit 0
__global__ void differences(const float* x, float* d) {
    d[threadIdx.x] = x[threadIdx.x] - x[int(threadIdx.x) - 1];
}
int main() {
    float *x, *d;
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMalloc(&d, 32 * sizeof *d);
    differences<<<1, 32>>>(x, d);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(d);
}
