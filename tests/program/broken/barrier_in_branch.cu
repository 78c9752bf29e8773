// says: Not every thread reaches the same barrier
// ends: exit 0
__global__ void half(int* x) {
    __shared__ int s[64];
    s[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x < 32) __syncthreads();
    x[threadIdx.x] = s[threadIdx.x] + 1;
    __syncthreads();
    x[threadIdx.x] += s[63 - threadIdx.x];
}
int main() {
    int* x;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMemset(x, 0, 64 * sizeof *x);
    half<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
