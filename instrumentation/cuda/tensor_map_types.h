// The element size and the swizzle of a tensor map, in bytes. C++17, because two runtimes include
// it: that of the CPU recorder with our own cuda.h, and gpu/host_maps.cpp with that of the CUDA
// Toolkit.
#pragma once
#include <cuda.h>

#include <cstdint>

namespace tilereel_gpu {

// Bytes of an element; 0 for a type of less than a byte.
inline std::uint8_t element_bytes_of(CUtensorMapDataType type) {
    switch (type) {
        case CU_TENSOR_MAP_DATA_TYPE_UINT8:
            return 1;
        case CU_TENSOR_MAP_DATA_TYPE_UINT16:
        case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
        case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
            return 2;
        case CU_TENSOR_MAP_DATA_TYPE_UINT64:
        case CU_TENSOR_MAP_DATA_TYPE_INT64:
        case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
            return 8;
        case CU_TENSOR_MAP_DATA_TYPE_UINT32:
        case CU_TENSOR_MAP_DATA_TYPE_INT32:
        case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
        case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
        case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
        case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
            return 4;
        default:
            return 0;
    }
}

// 32, 64 or 128; 0: no swizzle.
inline std::uint16_t swizzle_bytes_of(CUtensorMapSwizzle swizzle) {
    return swizzle == CU_TENSOR_MAP_SWIZZLE_32B    ? 32
           : swizzle == CU_TENSOR_MAP_SWIZZLE_64B  ? 64
           : swizzle == CU_TENSOR_MAP_SWIZZLE_128B ? 128
                                                   : 0;
}

}  // namespace tilereel_gpu
