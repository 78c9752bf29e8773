// says: kernel k throws an exception: device code has no exceptions
// ends: not compiled
#include <stdexcept>
__global__ void k(int* x) {
    if (x[threadIdx.x] == 3) throw std::runtime_error("three");
    x[threadIdx.x] = 1;
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
