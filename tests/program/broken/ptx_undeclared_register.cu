// says: Thread 0 of block 0 uses t, which is neither a register nor a label of the statement, on line 5
// ends: exit 3
__global__ void k(int* x) {
    int v;
    asm("add.s32 t, %1, 1; mov.s32 %0, t;" : "=r"(v) : "r"(x[0]));
    x[0] = v;
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    k<<<1, 1>>>(x);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
