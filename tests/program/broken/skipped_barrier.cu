// says: 14 of 64 threads of the block skip the barrier on line 8: thread 50 of warp 1 and others end without it
// ends: exit 0
__global__ void guarded(int* a, int n) {
    __shared__ int t[64];
    int i = threadIdx.x;
    if (i < n) {
        t[i] = a[i];
        __syncthreads();
        a[i] = t[n - 1 - i];
    }
}
int main() {
    int* a;
    cudaMalloc(&a, 64 * sizeof *a);
    cudaMemset(a, 0, 64 * sizeof *a);
    guarded<<<1, 64>>>(a, 50);
    cudaDeviceSynchronize();
    cudaFree(a);
}
