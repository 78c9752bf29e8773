// says: runs the host's branch of the condition about __CUDA_ARCH__
// ends: exit 0
__host__ __device__ int doubled(int x) {
#ifdef __CUDA_ARCH__
    const int factor = 2;
#else
    const int factor = 3;
#endif
    return factor * x;
}
__global__ void k(int* a) { a[threadIdx.x] = doubled(1); }
int main() {
    int* a;
    cudaMalloc(&a, 32 * sizeof *a);
    k<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
    return 0;
}
