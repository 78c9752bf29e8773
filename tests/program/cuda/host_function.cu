// No main(): a function of host code is called as a line says, and launches its kernels.
// tilereel: launch solve A[N]=index B[N]=1000-i C[N]=zeros n=N
#include <cassert>
constexpr int N = 1000;
__global__ void add(const float* A, const float* B, float* C, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    C[i] = A[i] + B[i];
    assert(C[i] == 1000);
}
extern "C" void solve(const float* A, const float* B, float* C, int n) {
    add<<<(n + 255) / 256, 256>>>(A, B, C, n);
    cudaDeviceSynchronize();
}
