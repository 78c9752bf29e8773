// says: writes x after cudaFree, on line 3
// ends: exit 0
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
int main() {
    float *x, *y;
    cudaMalloc(&y, 128);
    cudaMalloc(&x, 128);
    cudaFree(x);
    fill<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(y);
}
