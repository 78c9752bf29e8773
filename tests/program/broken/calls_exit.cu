// says: kernel k calls exit(), which is host code: device code cannot call it; end a thread with return
// ends: not compiled
#include <cstdlib>
__global__ void k(int* x) {
    if (x[threadIdx.x] == 3) exit(1);
    x[threadIdx.x] = 1;
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
