// says: Thread 0 of block 0 names the operand %2, but has 2, on line 5
// ends: exit 3
__global__ void k(int* x) {
    int v;
    asm("add.s32 %0, %1, %2;" : "=r"(v) : "r"(x[0]));
    x[0] = v;
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    k<<<1, 1>>>(x);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
