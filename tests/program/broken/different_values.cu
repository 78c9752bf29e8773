// says: store different values to a[0] by one instruction, on line 4: which of them stays is undefined
// ends: exit 0
__global__ void different_values(int* a) {
    a[0] = threadIdx.x;
}
int main() {
    int* a;
    cudaMalloc(&a, sizeof *a);
    different_values<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
}
