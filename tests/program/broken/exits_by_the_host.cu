// says: Thread 3 of block 0 calls exit(), which is host code: a kernel cannot call it
// ends: exit 0
#include <cstdlib>
void leave() { exit(1); }
__host__ __device__ void check(int i) {
    if (i == 3) leave();
}
__global__ void k(int* x) {
    check(threadIdx.x);
    x[threadIdx.x] = 1;
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
