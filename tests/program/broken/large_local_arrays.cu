// Each of the arrays fits, but not all of them; nor do they fit the stack of the host's thread.
// says: local variables are larger than the 512 KiB of local memory
// ends: exit 0
__global__ void k(int* x) {
#define ARRAY(n)             \
    volatile int a##n[130000]; \
    a##n[x[0]] = n;
#define SIX(n) ARRAY(n##0) ARRAY(n##1) ARRAY(n##2) ARRAY(n##3) ARRAY(n##4) ARRAY(n##5)
    SIX(1) SIX(2) SIX(3) SIX(4) SIX(5)
    x[threadIdx.x] = a10[x[1]] + a55[x[2]];
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    k<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
