#include "kernels/cuda/tensor_map.h"

#include <cuda_runtime.h>

#include <string>

namespace tilereel {
namespace {

CUtensorMapSwizzle swizzle_of(int bytes) {
    return bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
           : bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
           : bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                         : CU_TENSOR_MAP_SWIZZLE_NONE;
}

}  // namespace

// Gets the driver's function from the runtime, because the program is not linked with the driver.
Result<TensorMaps> TensorMaps::find(const char* instead) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    constexpr const char* kName = "cuTensorMapEncodeTiled";
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion(kName, &function, 12000, cudaEnableDefault, &found);
#else  // the version that the runtime was made for, 12.0 to 12.4
    const cudaError_t error = cudaGetDriverEntryPoint(kName, &function, cudaEnableDefault, &found);
#endif
    TRY(cuda_status(error, "make a tensor map", instead));
    if (found != cudaDriverEntryPointSuccess)
        return failed("the NVIDIA driver is too old for 20_champion; install a newer one, or " +
                      std::string(instead));
    TensorMaps maps;
    maps.encode_ = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
    maps.instead_ = instead;
    return maps;
}

Result<CUtensorMap> TensorMaps::make(const void* matrix, InputType type, int rows, int columns,
                                     int box_rows, int box_columns, int swizzle_bytes) const {
    CUtensorMap map;
    const cuuint64_t extents[] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
    const cuuint64_t stride_bytes[] = {
        static_cast<cuuint64_t>(aligned_row(columns, type)) * bytes_of(type)};
    const cuuint32_t box[] = {static_cast<cuuint32_t>(box_columns),
                              static_cast<cuuint32_t>(box_rows)};
    const cuuint32_t steps[] = {1, 1};
    const CUresult made =
        encode_(&map,
                type == InputType::kFloat32 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                                            : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                2, const_cast<void*>(matrix), extents,
                stride_bytes, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle_of(swizzle_bytes),
                CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (made != CUDA_SUCCESS)
        return failed("the driver made no tensor map (error " + std::to_string(made) + "); " +
                      instead_);
    return map;
}

}  // namespace tilereel
