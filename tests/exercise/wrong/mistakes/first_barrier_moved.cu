// exercise: first_barrier
// says: __syncthreads()
#include <cuda_runtime.h>

constexpr int TILE = 16;

__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;
    float sum = 0;
    for (int begin = 0; begin < n; begin += TILE) {
        As[ty][tx] = A[row * n + begin + tx];
        Bs[ty][tx] = B[(begin + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
    }
    C[row * n + column] = sum;
}

void multiply(const float* A, const float* B, float* C, int n) {
    dim3 block(TILE, TILE);
    dim3 grid(n / TILE, n / TILE);
    multiply_kernel<<<grid, block>>>(A, B, C, n);
}
