// C = A B. The exercise: second_barrier.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 16 + tx;
    int row = blockIdx.y * 16 + ty;
    float sum = 0;
    for (int begin = 0; begin < n; begin += 16) {
        As[ty][tx] = A[row * n + begin + tx];
        Bs[ty][tx] = B[(begin + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    }
    C[row * n + column] = sum;
}

void multiply(const float* A, const float* B, float* C, int n) {
    dim3 block(16, 16);
    dim3 grid(n / 16, n / 16);
    multiply_kernel<<<grid, block>>>(A, B, C, n);
}

// Tries it with B = 2 I, so that C = 2 A. The check has a main() of its own.
int main() {
    const int n = 64;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; ++i) a[i] = static_cast<float>(i % 100);
    for (int i = 0; i < n; ++i) b[i * n + i] = 2;
    size_t bytes = n * n * sizeof(float);
    float *A, *B, *C;
    cudaMalloc(&A, bytes);
    cudaMalloc(&B, bytes);
    cudaMalloc(&C, bytes);
    cudaMemcpy(A, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(B, b.data(), bytes, cudaMemcpyHostToDevice);
    multiply(A, B, C, n);
    cudaMemcpy(c.data(), C, bytes, cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < n * n; ++i) right += c[i] == 2 * a[i];
    printf("%d of %d right\n", right, n * n);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
}
