// Inline PTX and cuda::ptx: bulk copies and boxes from shared to global memory, in groups.
#include <cuda.h>
#include <cuda_bf16.h>

#include <cstdint>
#include <cuda/ptx>

#include "check.h"
namespace ptx = cuda::ptx;

__device__ uint32_t smem(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// A box of 8 rows of 16 elements at row 5, column 16 of a matrix of 11 x 32: its last two rows lie
// outside. Then 64 bytes, twice.
__global__ void store(const __grid_constant__ CUtensorMap map, int* bytes, int* more) {
    __shared__ __align__(128) __nv_bfloat16 box[8 * 16];
    __shared__ __align__(16) int row[16];
    for (int i = threadIdx.x; i < 8 * 16; i += 32) box[i] = __float2bfloat16(float(i));
    if (threadIdx.x < 16) row[threadIdx.x] = 100 + threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x != 0) return;
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
            &map),
        "r"(16), "r"(5), "r"(smem(box))
        : "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(bytes),
                 "r"(smem(row)), "r"(64)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, more, row, 64u);
    ptx::cp_async_bulk_commit_group();
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

int main() {
    __nv_bfloat16* matrix;
    int *bytes, *more;
    cudaMallocManaged(&matrix, 11 * 32 * 2), cudaMallocManaged(&bytes, 64),
        cudaMallocManaged(&more, 64);
    for (int i = 0; i < 11 * 32; ++i) matrix[i] = __float2bfloat16(-1.0f);
    CUtensorMap map;
    const cuuint64_t extents[] = {32, 11}, strides[] = {64};
    const cuuint32_t sizes[] = {16, 8}, steps[] = {1, 1};
    CHECK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, matrix, extents,
                                 strides, sizes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    store<<<1, 32>>>(map, bytes, more);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int row = 0; row < 11; ++row)
        for (int column = 0; column < 32; ++column) {
            const bool inside = row >= 5 && column >= 16;
            const float expected = inside ? float((row - 5) * 16 + column - 16) : -1.0f;
            CHECK(__bfloat162float(matrix[row * 32 + column]) == expected);
        }
    for (int i = 0; i < 16; ++i) CHECK(bytes[i] == 100 + i && more[i] == 100 + i);
    cudaFree(matrix), cudaFree(bytes), cudaFree(more);
    return failures;
}
