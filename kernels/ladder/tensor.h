#pragma once
// One instruction each for tensor cores, with the registers that a lane holds (PTX ISA 9.0:
// ldmatrix; mma.m16n8k16, "Matrix Fragments"). They are macros, so that an instruction belongs to
// the line that makes it, for Tilereel and for profilers.
#include <cuda_bf16.h>

// The i-th 8 bfloat16 from `first` on, which lie at a multiple of 16 bytes; and where.
#define load8(first, i) (*from8(first, i))
#define store8(first, i, value) (*to8(first, i) = (value))
#define from8(first, i) (reinterpret_cast<const uint4*>(first) + (i))
#define to8(first, i) (reinterpret_cast<uint4*>(first) + (i))

// Four 8 x 8 matrices from shared memory. Lane l names row l % 8 of matrix l / 8: 16 bytes at
// `row`. Of matrix m, lane l gets elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4, in r[m].
#define ldmatrix_x4(r, row)                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"  \
                 : "=r"((r)[0]), "=r"((r)[1]), "=r"((r)[2]), "=r"((r)[3])            \
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))))

// The same, each matrix transposed: lane l gets elements of column l / 4.
#define ldmatrix_x4_trans(r, row)                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"  \
                 : "=r"((r)[0]), "=r"((r)[1]), "=r"((r)[2]), "=r"((r)[3])                  \
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))))

// sum += A B with A of 16 x 16 in a[4], B of 16 x 8 in b[2] and FP32 sums of 16 x 8 in sum[4]. Lane
// l has rows l / 4 and l / 4 + 8 of A and of the sums, and column l / 4 of B.
#define mma_16x8x16(sum, a, b)                                              \
    asm volatile(                                                           \
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "              \
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"   \
        : "+f"((sum)[0]), "+f"((sum)[1]), "+f"((sum)[2]), "+f"((sum)[3])    \
        : "r"((a)[0]), "r"((a)[1]), "r"((a)[2]), "r"((a)[3]), "r"((b)[0]), "r"((b)[1]))
