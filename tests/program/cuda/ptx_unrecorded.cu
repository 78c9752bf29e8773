// test: --blocks 0
// Inline PTX in blocks that are not recorded: they run without hooks, and must do the same.
#include <cuda_bf16.h>

#include <cstdint>

#include "check.h"

constexpr int kBlocks = 16, kThreads = 128;

__device__ uint32_t smem(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// Registers, arithmetic, a loop with a label, shared and global memory, a shuffle and named
// barriers.
__global__ void parts(uint32_t* to) {
    __shared__ uint32_t words[kThreads];
    uint32_t lane, block, sum, other, read;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(block));
    asm volatile(
        "{ .reg .u32 i; .reg .pred p; mov.u32 i, 0; mov.u32 %0, 0;\n"
        "next: add.u32 i, i, 1; add.u32 %0, %0, i; setp.lt.u32 p, i, %1; @p bra next; }"
        : "=r"(sum)
        : "r"(block + 1));
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(smem(&words[threadIdx.x])), "r"(sum + threadIdx.x)
                 : "memory");
    asm volatile("bar.sync 1, 128;" ::: "memory");
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(read) : "r"(smem(&words[127 - threadIdx.x])));
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, 0xffffffff;" : "=r"(other) : "r"(lane));
    asm volatile(
        "st.global.v2.u32 [%0], {%1, %2};" ::"l"(to + 2 * (blockIdx.x * kThreads + threadIdx.x)),
        "r"(read), "r"(other)
        : "memory");
}

// A copy with cp.async, an mbarrier, ldmatrix and mma.sync: a product with the unit matrix.
__global__ void product(const __nv_bfloat16* from, float* to) {
    __shared__ __align__(16) __nv_bfloat16 a[16 * 16];
    __shared__ uint64_t barrier;
    const int lane = threadIdx.x;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(a + 8 * lane)),
                 "l"(from + blockIdx.x * 256 + 8 * lane));
    asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
    if (lane == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(smem(&barrier)) : "memory");
    __syncwarp();
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(&barrier)) : "memory");
    asm volatile(
        "{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
        "@!p bra again; }" ::"r"(smem(&barrier))
        : "memory");
    uint32_t r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(smem(a + lane % 16 * 16 + lane / 16 * 8)));
    // B, 16 x 8: ones where row and column are equal.
    const uint32_t one = 0x3f80, row = lane % 4 * 2, column = lane / 4;
    const uint32_t b = (row == column ? one : 0) | (row + 1 == column ? one << 16 : 0);
    float sum[4] = {};
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(b), "r"(0));
    float* const c = to + blockIdx.x * 128 + lane / 4 * 8 + lane % 4 * 2;
    c[0] = sum[0], c[1] = sum[1], c[64] = sum[2], c[65] = sum[3];
}

// Each block of a cluster reads a word of the other.
__global__ void __cluster_dims__(2, 1, 1) pairs(uint32_t* to) {
    __shared__ uint32_t word;
    uint32_t rank, there, read;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) word = 100 + blockIdx.x;
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there)
                 : "r"(smem(&word)), "r"(1 - rank));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(read) : "r"(there));
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0) to[blockIdx.x] = read;
}

int main() {
    uint32_t *words, *others;
    __nv_bfloat16* a;
    float* c;
    cudaMallocManaged(&words, kBlocks * kThreads * 8);
    cudaMallocManaged(&others, kBlocks * 4);
    cudaMallocManaged(&a, kBlocks * 256 * 2);
    cudaMallocManaged(&c, kBlocks * 128 * 4);
    for (int i = 0; i < kBlocks * 256; ++i) a[i] = __float2bfloat16(float(i % 251));
    parts<<<kBlocks, kThreads>>>(words);
    product<<<kBlocks, 32>>>(a, c);
    pairs<<<kBlocks, 32>>>(others);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int block = 0; block < kBlocks; ++block) {
        const uint32_t sum = (block + 1) * (block + 2) / 2;
        for (int i = 0; i < kThreads; ++i) {
            const uint32_t* const word = words + 2 * (block * kThreads + i);
            CHECK(word[0] == sum + 127 - i && word[1] == uint32_t(i % 32 ^ 1));
        }
        for (int i = 0; i < 128; ++i)  // columns 0 to 7 of A
            CHECK(c[block * 128 + i] == float((block * 256 + i / 8 * 16 + i % 8) % 251));
        CHECK(others[block] == 100u + (block ^ 1));
    }
    cudaFree(words), cudaFree(others), cudaFree(a), cudaFree(c);
    return failures;
}
