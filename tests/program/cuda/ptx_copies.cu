// Inline PTX: asynchronous copies in groups, mbarriers, bulk copies.
#include <cstdint>

#include "check.h"

__device__ uint32_t smem(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__global__ void groups(const float4* from, float* to, int valid) {
    __shared__ float4 stage[2][32];
    const int i = threadIdx.x;
    for (int k = 0; k < 2; ++k) {
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;" ::"r"(smem(&stage[k][i])),
                     "l"(from + 32 * k + i), "n"(16));
        asm volatile("cp.async.commit_group;");
    }
    asm volatile("cp.async.wait_group %0;" ::"n"(1) : "memory");
    __syncthreads();
    float sum = stage[0][31 - i].x;
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    sum += stage[1][31 - i].w;
    // Bytes beyond the number given are zero.
    const int bytes = i < valid ? 4 : 0;
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(smem(&stage[0][i])),
                 "l"(from + i), "r"(bytes));
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    to[i] = sum + stage[0][i].x;
}

__device__ void wait(uint64_t* barrier, uint32_t parity) {
    asm volatile(
        "{\n"
        ".reg .pred P1;\n"
        "LAB_WAIT:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
        "@P1 bra DONE;\n"
        "bra LAB_WAIT;\n"
        "DONE:\n"
        "}\n" ::"r"(smem(barrier)),
        "r"(parity)
        : "memory");
}

__global__ void bulk(const float* from, float* to, int tiles) {
    __shared__ __align__(128) float tile[256];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(&full)), "r"(1));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < tiles; ++i) {
        if (threadIdx.x == 0) {
            asm volatile(
                "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(&full)),
                "r"(1024)
                : "memory");
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
                "[%3];" ::"r"(smem(tile)),
                "l"(from + 256 * i), "r"(1024), "r"(smem(&full))
                : "memory");
        }
        wait(&full, i % 2);
        sum += tile[255 - threadIdx.x];
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}

int main() {
    float *from, *to;
    cudaMallocManaged(&from, 4096), cudaMallocManaged(&to, 1024);
    for (int i = 0; i < 1024; ++i) from[i] = i;
    groups<<<1, 32>>>((const float4*)from, to, 20);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        CHECK(to[i] == 4 * (31 - i) + 128 + 4 * (31 - i) + 3 + (i < 20 ? 4 * i : 0));
    bulk<<<1, 256>>>(from, to, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; ++i) CHECK(to[i] == 3 * (255 - i) + 768);
    cudaFree(from), cudaFree(to);
    return failures;
}
