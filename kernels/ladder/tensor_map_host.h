#pragma once
// Host code of launch functions that use the Tensor Memory Accelerator. The file that includes this
// includes <cuda.h> and <cuda_runtime.h> before.

// A matrix by rows that are `pitch` elements apart, and the box that a copy takes of it, with rows
// of 128 bytes if it is swizzled so (CUDA Driver API, cuTensorMapEncodeTiled).
inline CUtensorMap tensor_map_of(const void* matrix, CUtensorMapDataType type,
                                 int element_bytes, int rows, int columns, int pitch,
                                 int box_rows, int box_columns,
                                 CUtensorMapSwizzle swizzle) {
    void* encode = nullptr;  // a function of the driver
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                     cudaEnableDefault, &found);
    CUtensorMap map{};
    const cuuint64_t extents[] = {cuuint64_t(columns), cuuint64_t(rows)};
    const cuuint64_t strides[] = {cuuint64_t(pitch) * element_bytes};
    const cuuint32_t box[] = {cuuint32_t(box_columns), cuuint32_t(box_rows)};
    const cuuint32_t steps[] = {1, 1};
    if (encode != nullptr)
        ((decltype(&cuTensorMapEncodeTiled))encode)(
            &map, type, 2, (void*)matrix, extents, strides, box, steps,
            CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}
