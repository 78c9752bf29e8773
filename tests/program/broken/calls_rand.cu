// says: kernel k calls rand(), which is host code
// ends: not compiled
#include <cstdlib>
__global__ void k(int* x) { x[threadIdx.x] = rand(); }
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
