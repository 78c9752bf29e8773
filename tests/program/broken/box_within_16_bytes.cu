// says: copies a box that begins at element 6 of a row, byte 24: a bulk copy begins at a multiple of 16 bytes, on line 15
// ends: exit 1
#include <cuda.h>
#include <cudaTypedefs.h>

#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void k(const __grid_constant__ CUtensorMap map, float* out) {
    __shared__ alignas(128) float tile[4][8];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        const int32_t at[] = {6, 0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, at, &bar);
    }
    out[threadIdx.x] = 0;
}
int main() {
    float* x;
    cudaMalloc(&x, 64 * 64 * sizeof(float));
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                     cudaEnableDefault, &found);
    CUtensorMap map;
    const cuuint64_t extents[] = {64, 64}, strides[] = {256};
    const cuuint32_t box[] = {8, 4}, steps[] = {1, 1};
    ((PFN_cuTensorMapEncodeTiled_v12000)function)(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, x, extents, strides, box, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    k<<<1, 32>>>(map, x);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(x);
    return failed;
}
