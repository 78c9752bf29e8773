// says: Thread 3 of block 0 calls exit(), which is host code: a kernel cannot call it, on line 5
// ends: exit 0
#include <cstdlib>
__host__ __device__ void leave(int i) {
    if (i == 3) exit(1);
}
__global__ void k(int* x) {
    leave(threadIdx.x);
    x[threadIdx.x] = 1;
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
