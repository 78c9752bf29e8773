// says: of block 0 reads a[32] on line 7 and thread 0 of warp 0 of block 1 writes it on line 5: the blocks of a launch run in any order
// ends: exit 0
__global__ void other_block(int* a, int* sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    __syncthreads();
    if (i == 0) for (int k = 0; k < 128; ++k) *sum += a[k];
}
int main() {
    int *a, *sum;
    cudaMalloc(&a, 128 * sizeof *a);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    other_block<<<4, 32>>>(a, sum);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(sum);
}
