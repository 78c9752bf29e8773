// C = A B. The exercise: tensor_cores.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>
#include <vector>

// A block is one warp, and computes 16 x 16 elements of C.
__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    __shared__ alignas(32) __half As[16][16], Bs[16][16];
    int lane = threadIdx.x;
    int row = blockIdx.y * 16, column = blockIdx.x * 16;
    float sums[8] = {};
    for (int begin = 0; begin < n; begin += 16) {
        for (int i = lane; i < 256; i += 32) {
            int r = i / 16, c = i % 16;
            As[r][c] = __float2half(A[(row + r) * n + begin + c]);
            Bs[r][c] = __float2half(B[(begin + r) * n + column + c]);
        }
        __syncwarp();
        for (int k = 0; k < 16; ++k)
            for (int i = 0; i < 8; ++i)
                sums[i] += __half2float(As[2 * i + lane / 16][k]) * __half2float(Bs[k][lane % 16]);
        __syncwarp();
    }
    for (int i = 0; i < 8; ++i) C[(row + 2 * i + lane / 16) * n + column + lane % 16] = sums[i];
}

void multiply(const float* A, const float* B, float* C, int n) {
    dim3 grid(n / 16, n / 16);
    multiply_kernel<<<grid, 32>>>(A, B, C, n);
}

// Tries it with B = 2 I, so that C = 2 A. The check has a main() of its own.
int main() {
    const int n = 32;
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
