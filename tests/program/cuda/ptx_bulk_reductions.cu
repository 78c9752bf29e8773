// Inline PTX: reductions in bulk from shared to global memory and to shared memory of another
// block, copies in bulk between blocks, st.async and red.async.
#include <cuda.h>

#include <cstdint>

#include "check.h"

__device__ uint32_t smem(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ void wait_for_reads() {
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Each block adds its numbers to the same 64 sums, and takes minima and bits.
__global__ void sums(uint32_t* sum, float* real, int* least, uint32_t* bits) {
    __shared__ __align__(16) uint32_t numbers[64], flags[4];
    __shared__ __align__(16) float reals[64];
    __shared__ __align__(16) int signs[4];
    numbers[threadIdx.x] = threadIdx.x + blockIdx.x;
    reals[threadIdx.x] = threadIdx.x * 0.5f;
    if (threadIdx.x < 4) signs[threadIdx.x] = 2 - int(threadIdx.x + blockIdx.x);
    if (threadIdx.x < 4) flags[threadIdx.x] = 1u << (4 * threadIdx.x + blockIdx.x);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x != 0) return;
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 256;" ::"l"(sum),
        "r"(smem(numbers))
        : "memory");
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 256;" ::"l"(real),
        "r"(smem(reals))
        : "memory");
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [%0], [%1], 16;" ::"l"(least),
        "r"(smem(signs))
        : "memory");
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b32 [%0], [%1], 16;" ::"l"(bits),
        "r"(smem(flags))
        : "memory");
    wait_for_reads();
}

// A box of 4 rows of 8 floats, of which the last four columns lie outside of the tensor: 16 bytes,
// as an H200 cuts a box at multiples of 16 bytes.
__global__ void box(const __grid_constant__ CUtensorMap map) {
    __shared__ __align__(128) float tile[4 * 8];
    tile[threadIdx.x] = threadIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x != 0) return;
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], "
        "[%3];" ::"l"(&map),
        "r"(4), "r"(1), "r"(smem(tile))
        : "memory");
    wait_for_reads();
}

__device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ uint32_t map_to(uint32_t address, uint32_t rank) {
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

// Each block gives the other numbers: copied, added, stored and added one by one.
__global__ void __cluster_dims__(2, 1, 1) exchange(uint32_t* to) {
    __shared__ __align__(16) uint32_t own[32], copied[32], added[32], stored[32], one_by_one[32];
    __shared__ __align__(8) uint64_t full;
    const uint32_t i = threadIdx.x, other = 1 - blockIdx.x % 2;
    own[i] = 100 * blockIdx.x + i;
    copied[i] = stored[i] = 0, added[i] = one_by_one[i] = 1000;
    if (i == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&full)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(&full)),
                     "r"(4 * 128)
                     : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    cluster_sync();
    const uint32_t barrier = map_to(smem(&full), other);
    if (i == 0) {
        asm volatile(
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], "
            "128, [%2];" ::"r"(map_to(smem(copied), other)),
            "r"(smem(own)), "r"(barrier)
            : "memory");
        asm volatile(
            "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
            "[%0], [%1], 128, [%2];" ::"r"(map_to(smem(added), other)),
            "r"(smem(own)), "r"(barrier)
            : "memory");
    }
    if (i % 4 == 0)
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, %4}, "
            "[%5];" ::"r"(map_to(smem(&stored[i]), other)),
            "r"(i), "r"(i + 1), "r"(i + 2), "r"(i + 3), "r"(barrier)
            : "memory");
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, "
        "[%2];" ::"r"(map_to(smem(&one_by_one[i]), other)),
        "r"(2 * i), "r"(barrier)
        : "memory");
    asm volatile(
        "{.reg .pred p;\n"
        "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n"
        "@!p bra again;}" ::"r"(smem(&full))
        : "memory");
    uint32_t* const out = to + blockIdx.x * 128 + i;
    out[0] = copied[i], out[32] = added[i], out[64] = stored[i], out[96] = one_by_one[i];
    cluster_sync();
}

int main() {
    uint32_t *sum, *bits, *to;
    float *real, *tensor;
    int* least;
    cudaMallocManaged(&sum, 256), cudaMallocManaged(&bits, 16), cudaMallocManaged(&to, 1024);
    cudaMallocManaged(&real, 256), cudaMallocManaged(&least, 16);
    cudaMallocManaged(&tensor, 6 * 12 * 4);
    for (int i = 0; i < 64; ++i) sum[i] = 1000, real[i] = 1;
    for (int i = 0; i < 4; ++i) bits[i] = 0, least[i] = 0;
    sums<<<3, 64>>>(sum, real, least, bits);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 64; ++i) CHECK(sum[i] == 1000 + 3 * i + 3 && real[i] == 1 + 1.5f * i);
    for (int i = 0; i < 4; ++i) CHECK(least[i] == (-i < 0 ? -i : 0) && bits[i] == 7u << 4 * i);

    for (int i = 0; i < 6 * 12; ++i) tensor[i] = 100;
    CUtensorMap map;
    const cuuint64_t extents[] = {8, 6}, strides[] = {48};
    const cuuint32_t size[] = {8, 4}, steps[] = {1, 1};
    CHECK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, tensor, extents, strides,
                                 size, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    box<<<1, 32>>>(map);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int row = 0; row < 6; ++row)
        for (int column = 0; column < 12; ++column) {
            const bool inside = row >= 1 && row < 5 && column >= 4 && column < 8;
            CHECK(tensor[row * 12 + column] == 100 + (inside ? (row - 1) * 8 + column - 4 : 0));
        }

    exchange<<<2, 32>>>(to);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (uint32_t block = 0; block < 2; ++block)
        for (uint32_t i = 0; i < 32; ++i) {
            const uint32_t given = 100 * (1 - block) + i, *out = to + block * 128 + i;
            CHECK(out[0] == given && out[32] == 1000 + given);
            CHECK(out[64] == i && out[96] == 1000 + 2 * i);
        }
    cudaFree(sum), cudaFree(bits), cudaFree(to), cudaFree(real), cudaFree(least);
    cudaFree(tensor);
    return failures;
}
