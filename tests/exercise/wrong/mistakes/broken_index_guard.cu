// exercise: broken_index
// says: is never stored
#include <cuda_runtime.h>

__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + column];
    C[row * n + column] = sum;
}

void multiply(const float* A, const float* B, float* C, int n) {
    dim3 block(16, 16);
    dim3 grid(n / 16, n / 16);
    multiply_kernel<<<grid, block>>>(A, B, C, n);
}
