// Inline PTX: wgmma with both operands in shared memory and with A in registers, without a swizzle
// and with one of 128 bytes.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "check.h"

__device__ uint64_t descriptor(const void* first, uint64_t leading, uint64_t stride,
                               uint64_t swizzle) {
    const uint64_t address = __cvta_generic_to_shared(first);
    return (address & 0x3ffff) >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | swizzle << 62;
}

// C (64 x 16) = A (64 x 16) B (16 x 16), B by columns. `from_registers`: A.
__global__ void plain(const half* A, const half* B, float* C, int from_registers) {
    __shared__ __align__(128) half As[64 * 16];
    __shared__ __align__(128) half Bs[16 * 16];
    // Core matrices of 8 rows of 16 bytes, one behind the other along k.
    for (int i = threadIdx.x; i < 64 * 16; i += 128) {
        const int row = i / 16, k = i % 16;
        As[(row / 8 * 2 + k / 8) * 64 + row % 8 * 8 + k % 8] = A[i];
    }
    for (int i = threadIdx.x; i < 16 * 16; i += 128) {
        const int column = i / 16, k = i % 16;
        Bs[(column / 8 * 2 + k / 8) * 64 + column % 8 * 8 + k % 8] = B[i];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    uint32_t a[4];
    for (int r = 0; r < 4; ++r)
        a[r] = *(const uint32_t*)(A + (16 * warp + group + r % 2 * 8) * 16 + r / 2 * 8 + 2 * t);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    if (from_registers)
        asm volatile(
            "{.reg .pred p; setp.ne.b32 p, %13, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
            "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, p, 1, 1, 0;}\n"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
              "+f"(d[7])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(Bs, 128, 256, 0)), "r"(1));
    else
        asm volatile(
            "{.reg .pred p; setp.ne.b32 p, %10, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
            "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0;}\n"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
              "+f"(d[7])
            : "l"(descriptor(As, 128, 256, 0)), "l"(descriptor(Bs, 128, 256, 0)), "r"(1));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(0) : "memory");
    for (int i = 0; i < 8; ++i)
        C[(16 * warp + group + i / 2 % 2 * 8) * 16 + i / 4 * 8 + 2 * t + i % 2] = d[i];
}

// C (64 x 8) = A (64 x 64) B (64 x 8): rows of 128 bytes whose pieces are swizzled, four steps of
// k.
__global__ void swizzled(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C) {
    __shared__ __align__(1024) __nv_bfloat16 As[64 * 64];
    __shared__ __align__(1024) __nv_bfloat16 Bs[8 * 64];
    for (int i = threadIdx.x; i < 64 * 64; i += 128) {
        const int row = i / 64, piece = i % 64 / 8;
        As[row * 64 + (piece ^ row % 8) * 8 + i % 8] = A[i];
    }
    for (int i = threadIdx.x; i < 8 * 64; i += 128) {
        const int column = i / 64, piece = i % 64 / 8;
        Bs[column * 64 + (piece ^ column % 8) * 8 + i % 8] = B[i];
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    float d[4];
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < 4; ++k)
        asm volatile(
            "{.reg .pred p; setp.ne.b32 p, %6, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, "
            "1, 0, 0;}\n"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "l"(descriptor(As + 16 * k, 16, 1024, 1)), "l"(descriptor(Bs + 16 * k, 16, 1024, 1)),
              "r"(k > 0 ? 1 : 0));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    for (int i = 0; i < 4; ++i) C[(16 * warp + group + i / 2 * 8) * 8 + 2 * t + i % 2] = d[i];
}

int main() {
    half *a, *b;
    float* c;
    cudaMallocManaged(&a, 64 * 16 * 2), cudaMallocManaged(&b, 16 * 16 * 2),
        cudaMallocManaged(&c, 64 * 16 * 4);
    for (int i = 0; i < 64 * 16; ++i) a[i] = __float2half(float(i * 7 % 11 - 5));
    for (int i = 0; i < 16 * 16; ++i) b[i] = __float2half(float(i * 5 % 13 - 6));
    for (int from_registers = 0; from_registers < 2; ++from_registers) {
        plain<<<1, 128>>>(a, b, c, from_registers);
        cudaDeviceSynchronize();
        for (int i = 0; i < 64; ++i)
            for (int j = 0; j < 16; ++j) {
                float sum = 1;
                for (int k = 0; k < 16; ++k)
                    sum += __half2float(a[i * 16 + k]) * __half2float(b[j * 16 + k]);
                CHECK(c[i * 16 + j] == sum);
            }
    }
    __nv_bfloat16 *x, *y;
    cudaMallocManaged(&x, 64 * 64 * 2), cudaMallocManaged(&y, 8 * 64 * 2);
    for (int i = 0; i < 64 * 64; ++i) x[i] = __float2bfloat16(float(i * 3 % 17 - 8));
    for (int i = 0; i < 8 * 64; ++i) y[i] = __float2bfloat16(float(i * 11 % 19 - 9));
    swizzled<<<1, 128>>>(x, y, c);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        for (int j = 0; j < 8; ++j) {
            float sum = 0;
            for (int k = 0; k < 64; ++k)
                sum += __bfloat162float(x[i * 64 + k]) * __bfloat162float(y[j * 64 + k]);
            CHECK(c[i * 8 + j] == sum);
        }
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(x), cudaFree(y);
    return failures;
}
