// says: device function smallest calls std::sort<int*>(), which is host code
// ends: not compiled
#include <algorithm>
__device__ int smallest(int* x) {
    std::sort(x, x + 32);
    return x[0];
}
__global__ void k(int* x) { x[0] = smallest(x); }
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 1>>>(x);
    cudaFree(x);
}
