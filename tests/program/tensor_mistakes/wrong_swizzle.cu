// says: whose descriptor has a swizzle of 64 bytes, but the TMA wrote it
// ends: exit 0
#include <cuda.h>

#include "pieces.h"

#ifdef FIXED
constexpr int kSwizzle = 1;  // 128 bytes
#else
constexpr int kSwizzle = 2;  // 64 bytes
#endif

// A (64 x 64) and B (8 x 64) as rows of 128 bytes.
__global__ void k(const __grid_constant__ CUtensorMap map, float* out) {
    __shared__ __align__(1024) half a[72 * 64];
    __shared__ __align__(8) uint64_t bar;
    if (threadIdx.x == 0) {
        INIT_BARRIER(&bar, 1);
        EXPECT_BYTES(&bar, 72 * 128);
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
            "[%1, {%2, %3}], [%4];" ::"r"(shared_address(a)),
            "l"(&map), "r"(0), "r"(0), "r"(shared_address(&bar))
            : "memory");
    }
    __syncthreads();
    WAIT_PARITY(&bar, 0);
    float d[4] = {};
    PRODUCTS_FENCE();
    MULTIPLY(d, descriptor(a, 16, 1024, kSwizzle), descriptor(a + 64 * 64, 16, 1024, kSwizzle));
    COMMIT_PRODUCTS();
    WAIT_PRODUCTS(0);
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}

int main() {
    half* in;
    float* out;
    cudaMalloc(&in, 72 * 128);
    cudaMalloc(&out, 128 * 16);
    cudaMemset(in, 0, 72 * 128);
    CUtensorMap map;
    const cuuint64_t extents[] = {64, 72}, strides[] = {128};
    const cuuint32_t box[] = {64, 72}, steps[] = {1, 1};
    const CUresult made =
        cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, in, extents, strides, box,
                               steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (made != CUDA_SUCCESS) return 2;
    k<<<1, 128>>>(map, out);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(in);
    cudaFree(out);
    return failed;
}
