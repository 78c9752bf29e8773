// What the programs of this folder share. Instructions are macros, so that a finding names the line
// of the program.
#pragma once
#include <cuda_fp16.h>

#include <cstdint>

__device__ inline uint32_t shared_address(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
// Of a matrix that begins at `first`; `swizzle`: 0 none, 1 128 bytes, 2 64 bytes.
__device__ inline uint64_t descriptor(const void* first, uint64_t leading, uint64_t stride,
                                      uint64_t swizzle) {
    return (shared_address(first) & 0x3ffff) >> 4 | leading >> 4 << 16 | stride >> 4 << 32 |
           swizzle << 62;
}

#define PRODUCTS_FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define COMMIT_PRODUCTS() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT_PRODUCTS(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")
#define PROXY_FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
// D (64 x 8) = A (64 x 16) B (16 x 8)
#define MULTIPLY(d, a, b)                                                                    \
    asm volatile(                                                                            \
        "{.reg .pred p;\nsetp.ne.b32 p, 0, 0;\n"                                             \
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, " \
        "1, 0, 0;}"                                                                          \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                     \
        : "l"(a), "l"(b))
#define LOAD_MATRIX(r, row)                                             \
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" \
                 : "=r"(r)                                              \
                 : "r"(shared_address(row)))
#define COPY_16(to, from)                                                                         \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) \
                 : "memory")
#define COMMIT_COPIES() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_COPIES(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define INIT_BARRIER(bar, count) \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count))
#define EXPECT_BYTES(bar, bytes)                                                             \
    asm volatile(                                                                            \
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)), \
        "r"(bytes)                                                                           \
        : "memory")
#define ARRIVE(bar) \
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory")
#define WAIT_PARITY(bar, parity)                                         \
    asm volatile(                                                        \
        "{.reg .pred p;\n"                                               \
        "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n" \
        "@!p bra again;}" ::"r"(shared_address(bar)),                    \
        "r"(parity)                                                      \
        : "memory")
#define BULK_COPY(to, from, bytes, bar)                                                      \
    asm volatile(                                                                            \
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, " \
        "[%3];" ::"r"(shared_address(to)),                                                   \
        "l"(from), "r"(bytes), "r"(shared_address(bar))                                      \
        : "memory")

constexpr int kTileA = 64 * 16, kTileB = 8 * 16;  // halves of one product's operands

inline int run(void (*kernel)(const half*, float*), int threads) {
    half* in;
    float* out;
    cudaMalloc(&in, 65536);
    cudaMalloc(&out, 65536);
    cudaMemset(in, 0, 65536);
    cudaMemset(out, 0, 65536);
    kernel<<<1, threads>>>(in, out);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(in);
    cudaFree(out);
    return failed;
}
