// C = A B of 16 x 16 halves, row-major, for programs that multiply with one warp.
#pragma once
#include "pieces.h"

constexpr int kTile = 16;

inline int run_product(void (*kernel)(const half*, const half*, float*)) {
    half a[kTile * kTile], b[kTile * kTile], *da, *db;
    float* dc;
    for (int i = 0; i < kTile * kTile; ++i) {
        a[i] = half(float(i * 7 % 31 - 15) / 16);
        b[i] = half(float(i * 5 % 29 - 14) / 16);
    }
    cudaMalloc(&da, sizeof a);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&dc, kTile * kTile * sizeof(float));
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    kernel<<<1, 32>>>(da, db, dc);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return failed;
}

#define LOAD_MATRICES(r, row)                                                       \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                   \
                 : "r"(shared_address(row)))
#define LOAD_TRANSPOSED(r, row)                                                           \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                         \
                 : "r"(shared_address(row)))
// D (16 x 8) += A (16 x 16) B (16 x 8)
#define MULTIPLY_WARP(d, a, b0, b1)                                            \
    asm volatile(                                                              \
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, " \
        "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                        \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                       \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))

// The sums of columns 8 * half to 8 * half + 7.
__device__ inline void store_sums(float* c, const float (&d)[4], int half) {
    const int row = threadIdx.x / 4, column = 8 * half + threadIdx.x % 4 * 2;
    for (int i = 0; i < 4; ++i) c[(row + i / 2 * 8) * kTile + column + i % 2] = d[i];
}
