// says: thread 0 of warp 0 waits on line 8 while thread 1 of warp 0 is on line 11; move __syncthreads()
// ends: exit 0
__global__ void both_sides(int* a) {
    __shared__ int t[64];
    int i = threadIdx.x;
    if (i % 2 == 0) {
        t[i] = 1;
        __syncthreads();
    } else {
        t[i] = 2;
        __syncthreads();
    }
    a[i] = t[63 - i];
}
int main() {
    int* a;
    cudaMalloc(&a, 64 * sizeof *a);
    both_sides<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
}
