// exercise: tensor_cores
// says: C[
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

// A block is one warp, and computes 16 x 16 elements of C.
__global__ void multiply_kernel(const float* A, const float* B, float* C, int n) {
    __shared__ alignas(32) __half As[16][16], Bs[16][16];
    int lane = threadIdx.x;
    int row = blockIdx.y * 16, column = blockIdx.x * 16;
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> a;
    fragment<matrix_b, 16, 16, 16, __half, col_major> b;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    for (int begin = 0; begin < n; begin += 16) {
        for (int i = lane; i < 256; i += 32) {
            int r = i / 16, c = i % 16;
            As[r][c] = __float2half(A[(row + r) * n + begin + c]);
            Bs[r][c] = __float2half(B[(begin + r) * n + column + c]);
        }
        __syncwarp();
        load_matrix_sync(a, &As[0][0], 16);
        load_matrix_sync(b, &Bs[0][0], 16);
        mma_sync(sum, a, b, sum);
        __syncwarp();
    }
    store_matrix_sync(&C[row * n + column], sum, n, mem_row_major);
}

void multiply(const float* A, const float* B, float* C, int n) {
    dim3 grid(n / 16, n / 16);
    multiply_kernel<<<grid, 32>>>(A, B, C, n);
}
