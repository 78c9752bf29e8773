// exercise: double_buffering
// says: As
#include <cuda_runtime.h>

__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    __shared__ float As[1][16][16], Bs[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 16 + tx;
    int row = blockIdx.y * 16 + ty;
    float sum = 0;
    for (int begin = 0; begin < n; begin += 16) {
        int now = begin / 16 % 2;
        As[0][ty][tx] = A[row * n + begin + tx];
        Bs[now][ty][tx] = B[(begin + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += As[0][ty][k] * Bs[now][k][tx];
    }
    C[row * n + column] = sum;
}

void multiply(const float* A, const float* B, float* C, int n) {
    dim3 block(16, 16);
    dim3 grid(n / 16, n / 16);
    multiply_kernel<<<grid, block>>>(A, B, C, n);
}
