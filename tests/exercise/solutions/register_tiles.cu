#include <cuda_runtime.h>

__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    __shared__ float As[32][32], Bs[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 32 + ty;
    float sums[4] = {};
    for (int begin = 0; begin < n; begin += 32) {
        for (int i = 0; i < 32; i += 8) {
            As[ty + i][tx] = A[(row + i) * n + begin + tx];
            Bs[ty + i][tx] = B[(begin + ty + i) * n + column];
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k) {
            float b = Bs[k][tx];
            for (int i = 0; i < 4; ++i) sums[i] += As[ty + 8 * i][k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) C[(row + 8 * i) * n + column] = sums[i];
}

void multiply(const float* A, const float* B, float* C, int n) {
    dim3 block(32, 8);
    dim3 grid(n / 32, n / 32);
    multiply_kernel<<<grid, block>>>(A, B, C, n);
}
