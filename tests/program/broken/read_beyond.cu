// says: Thread 63 of block 0 reads in[64], 1 element beyond the last of its 64, on line 4
// ends: exit 0
__global__ void shift(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x + 1];
}
int main() {
    int *a, *b;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMalloc(&b, 64 * sizeof(int));
    cudaMemset(a, 0, 64 * sizeof(int));
    shift<<<1, 64>>>(a, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
}
