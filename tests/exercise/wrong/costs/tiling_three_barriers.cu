// exercise: tiling
// says: barriers per phase is 3 and should be at most 2
#include <cuda_runtime.h>

constexpr int TILE = 16;

template <int SIZE>
__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    __shared__ float As[SIZE][SIZE], Bs[SIZE][SIZE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * SIZE + tx;
    int row = blockIdx.y * SIZE + ty;
    float sum = 0;
    for (int begin = 0; begin < n; begin += SIZE) {
        As[ty][tx] = A[row * n + begin + tx];
        Bs[ty][tx] = B[(begin + ty) * n + column];
        __syncthreads();
        __syncthreads();
        for (int k = 0; k < SIZE; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + column] = sum;
}

void multiply(const float* A, const float* B, float* C, int n) {
    dim3 block(TILE, TILE);
    dim3 grid(n / TILE, n / TILE);
    multiply_kernel<TILE><<<grid, block>>>(A, B, C, n);
}
