// says: cuTensorMapEncodeTiled was asked for an interleaved layout
// ends: exit 1
// kind: unsupported
#include <cuda.h>

int main() {
    float* x;
    cudaMalloc(&x, 4096);
    CUtensorMap map;
    const cuuint64_t extents[] = {32, 32}, strides[] = {128};
    const cuuint32_t box[] = {16, 16}, steps[] = {1, 1};
    const CUresult result = cuTensorMapEncodeTiled(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, x, extents, strides, box, steps,
        CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    cudaFree(x);
    return result == CUDA_ERROR_NOT_SUPPORTED ? 1 : 0;
}
