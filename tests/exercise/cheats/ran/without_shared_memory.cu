// exercise: padding
// says: global_load.sectors is
// Without shared memory there are no bank conflicts, but all loads are from global memory.
#include <cuda_runtime.h>

__global__ void k(const float* A, const float* B, float* C, int n) {
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += A[row * n + i] * B[i * n + column];
    C[row * n + column] = sum;
}
void multiply(const float* A, const float* B, float* C, int n) {
    k<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(A, B, C, n);
}
