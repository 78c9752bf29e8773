// C = A B. The exercise: broken_index.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[column * n + k];
    C[row * n + column] = sum;
}

void multiply(const float* A, const float* B, float* C, int n) {
    dim3 block(16, 16);
    dim3 grid((n + 15) / 16, (n + 15) / 16);
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
