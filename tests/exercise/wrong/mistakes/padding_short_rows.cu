// exercise: padding
// says: outside of its row: Bs has 31 columns
#include <cuda_runtime.h>

__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    __shared__ float As[32][32], Bs[32][31];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int begin = 0; begin < n; begin += 32) {
        As[ty][tx] = A[row * n + begin + tx];
        Bs[ty][tx] = B[(blockIdx.x * 32 + ty) * n + begin + tx];
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += As[ty][k] * Bs[tx][k];
        __syncthreads();
    }
    C[row * n + column] = sum;
}

void multiply(const float* A, const float* B, float* C, int n) {
    dim3 block(32, 32);
    dim3 grid(n / 32, n / 32);
    multiply_kernel<<<grid, block>>>(A, B, C, n);
}
