// C = A B on tensor cores: BF16 factors, FP32 sums. Four warps of one block compute 32 x 32 of C,
// each 16 rows and 16 columns of it.
//
// ldmatrix copies an 8 x 8 matrix from shared memory to registers. A lane names the address of a
// row, 16 bytes, and gets two elements of another one. A row of a tile has 128 bytes, as many as
// the 32 banks give in a wavefront, so the eight rows of a matrix begin in the same bank. With
// SWIZZLE the pieces of a row change places, and each of the eight rows has its own banks.
#include <cuda_bf16.h>

#include <cstdint>
#include <cstdio>

#ifndef SWIZZLE
#define SWIZZLE 1  // 0: rows as they are, 8 wavefronts a matrix
#endif

constexpr int M = 32, N = 32, K = 128;
constexpr int kTileK = 64;           // columns of A, rows of B in shared memory: 128 bytes a row
constexpr int kPieces = kTileK / 8;  // of 16 bytes in a row
constexpr int kThreads = 128;

// The place of piece `piece` of row `row` in a tile, in elements.
__device__ int place(int row, int piece) {
    return row * kTileK + 8 * (SWIZZLE ? piece ^ row % 8 : piece);
}

__device__ void ldmatrix_x4(uint32_t (&r)[4], const __nv_bfloat16* row) {
    const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

// 16 x 8 sums.
__device__ void mma(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A is M x K by rows, B is N x K: column j of B is row j here.
__global__ void tensor_product(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C) {
    __shared__ __align__(128) __nv_bfloat16 As[M * kTileK];
    __shared__ __align__(128) __nv_bfloat16 Bs[N * kTileK];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int m0 = warp / 2 * 16, n0 = warp % 2 * 16;  // the warp's corner of C
    float c[2][4] = {};
    for (int k0 = 0; k0 < K; k0 += kTileK) {
        for (int i = threadIdx.x; i < M * kPieces; i += kThreads) {  // 16 bytes a thread
            const int row = i / kPieces, piece = i % kPieces;
            *(uint4*)&As[place(row, piece)] = *(const uint4*)&A[row * K + k0 + 8 * piece];
            *(uint4*)&Bs[place(row, piece)] = *(const uint4*)&B[row * K + k0 + 8 * piece];
        }
        __syncthreads();  // the tiles are written
        for (int kk = 0; kk < kTileK / 16; ++kk) {
            uint32_t a[4], b[4];
            ldmatrix_x4(a, &As[place(m0 + lane % 16, 2 * kk + lane / 16)]);
            ldmatrix_x4(b, &Bs[place(n0 + lane % 8 + lane / 16 * 8, 2 * kk + lane / 8 % 2)]);
            mma(c[0], a, b[0], b[1]);
            mma(c[1], a, b[2], b[3]);
        }
        __syncthreads();  // the tiles are read
    }
    const int group = lane / 4, in_group = lane % 4;
    for (int j = 0; j < 2; ++j)
        for (int half = 0; half < 2; ++half)
            *(float2*)&C[(m0 + group + 8 * half) * N + n0 + 8 * j + 2 * in_group] =
                make_float2(c[j][2 * half], c[j][2 * half + 1]);
}

int main() {
    __nv_bfloat16 *A, *B;
    float* C;
    cudaMallocManaged(&A, M * K * sizeof *A);
    cudaMallocManaged(&B, N * K * sizeof *B);
    cudaMallocManaged(&C, M * N * sizeof *C);
    for (int i = 0; i < M * K; ++i) A[i] = __float2bfloat16(float(i * 7 % 11 % 6));
    for (int i = 0; i < N * K; ++i) B[i] = __float2bfloat16(float(i * 5 % 13 % 6));
    tensor_product<<<1, kThreads>>>(A, B, C);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int row = 0; row < M; ++row)
        for (int column = 0; column < N; ++column) {
            float sum = 0;
            for (int k = 0; k < K; ++k)
                sum += __bfloat162float(A[row * K + k]) * __bfloat162float(B[column * K + k]);
            wrong += C[row * N + column] != sum;
        }
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    printf("%d elements of C are wrong\n", wrong);
    return wrong != 0;
}
