// exercise: tiling
// says: at least 8 x fewer global_load.sectors than handed out
// Only A's tile is in shared memory: B is still loaded by each thread.
#include <cuda_runtime.h>

__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    __shared__ float As[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 16 + tx;
    int row = blockIdx.y * 16 + ty;
    float sum = 0;
    for (int begin = 0; begin < n; begin += 16) {
        As[ty][tx] = A[row * n + begin + tx];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += As[ty][k] * B[(begin + k) * n + column];
        __syncthreads();
    }
    C[row * n + column] = sum;
}

void multiply(const float* A, const float* B, float* C, int n) {
    multiply_kernel<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(A, B, C, n);
}
