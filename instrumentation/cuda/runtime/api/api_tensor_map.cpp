// cuTensorMapEncodeTiled, and the functions that return its address.
#include <cstring>
#include <string>
#include <string_view>

#include "instrumentation/cuda/include/cuda.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/warp/encoded_tensor_map.h"
#include "instrumentation/cuda/tensor_map_types.h"

namespace tilereel::runtime {
namespace {

constexpr std::uint64_t kMostStride = std::uint64_t{1} << 40;

bool is_floating(CUtensorMapDataType type) {
    return type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
}

CUresult unsupported(const std::string& what) {
    send_finding(RecordedFindingKind::kUnsupported,
                 "cuTensorMapEncodeTiled was asked for " + what + ".",
                 "Tilereel supports plain boxes, unswizzled or swizzled by 32, 64 or 128 bytes.");
    return CUDA_ERROR_NOT_SUPPORTED;
}

// Whether the arguments satisfy the rules of cuTensorMapEncodeTiled.
bool is_valid(const TensorMap& map, const cuuint64_t* extents, const cuuint32_t* box,
              const cuuint32_t* steps) {
    if (map.first == 0 || map.first % 16 != 0) return false;
    for (std::uint32_t i = 0; i < map.rank; ++i) {
        if (extents[i] < 1 || extents[i] > std::uint64_t{1} << 32) return false;
        if (box[i] < 1 || box[i] > 256 || steps[i] < 1 || steps[i] > 8) return false;
        if (i == 0) continue;
        const std::uint64_t stride = map.stride_bytes[i - 1];
        if (stride % 16 != 0 || stride >= kMostStride) return false;
    }
    const std::uint32_t row_bytes = box[0] * map.element_bytes;
    return row_bytes % 16 == 0 && (map.swizzle_bytes == 0 || row_bytes <= map.swizzle_bytes);
}

}  // namespace
}  // namespace tilereel::runtime

extern "C" CUresult cuTensorMapEncodeTiled(CUtensorMap* result, CUtensorMapDataType type,
                                           cuuint32_t rank, void* first, const cuuint64_t* extents,
                                           const cuuint64_t* stride_bytes, const cuuint32_t* box,
                                           const cuuint32_t* element_strides,
                                           CUtensorMapInterleave interleave,
                                           CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                           CUtensorMapFloatOOBfill fill) {
    using namespace tilereel::runtime;
    if (result == nullptr || extents == nullptr || box == nullptr || element_strides == nullptr ||
        rank < 1 || rank > TensorMap::kMostRank || (rank > 1 && stride_bytes == nullptr))
        return CUDA_ERROR_INVALID_VALUE;
    TensorMap map;
    map.element_bytes = tilereel_gpu::element_bytes_of(type);
    if (map.element_bytes == 0) return unsupported("elements of 4 or 6 bits");
    if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return unsupported("an interleaved layout");
    if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) return unsupported("NaN outside of the tensor");
    if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B) return unsupported("a swizzle of larger atoms");
    map.first = reinterpret_cast<std::uint64_t>(first);
    map.rank = static_cast<std::uint8_t>(rank);
    map.is_floating = is_floating(type);
    map.is_signed = type == CU_TENSOR_MAP_DATA_TYPE_INT32 || type == CU_TENSOR_MAP_DATA_TYPE_INT64;
    map.is_bfloat16 = type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    map.swizzle_bytes = tilereel_gpu::swizzle_bytes_of(swizzle);
    for (cuuint32_t i = 0; i + 1 < rank; ++i) map.stride_bytes[i] = stride_bytes[i];
    if (!is_valid(map, extents, box, element_strides)) return CUDA_ERROR_INVALID_VALUE;
    if (map.swizzle_bytes != 0 && box[0] * map.element_bytes != map.swizzle_bytes)
        return unsupported("a swizzle that is wider than the box");
    for (cuuint32_t i = 0; i < rank; ++i) {
        map.last[i] = static_cast<std::uint32_t>(extents[i] - 1);
        map.box[i] = static_cast<std::uint16_t>(box[i]);
        // Without interleaving, the step of the innermost dimension is ignored.
        map.step[i] = static_cast<std::uint8_t>(i == 0 ? 1 : element_strides[i]);
    }
    map.magic = TensorMap::kMagic;
    *result = {};
    std::memcpy(result, &map, sizeof map);
    return CUDA_SUCCESS;
}

extern "C" cudaError_t cudaGetDriverEntryPoint(const char* name, void** function,
                                               unsigned long long,
                                               cudaDriverEntryPointQueryResult* found) {
    using namespace tilereel::runtime;
    if (name == nullptr || function == nullptr) return set_error(cudaErrorInvalidValue);
    const bool known = std::string_view(name) == "cuTensorMapEncodeTiled";
    *function = known ? reinterpret_cast<void*>(&cuTensorMapEncodeTiled) : nullptr;
    if (found != nullptr)
        *found = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return set_error(known || found != nullptr ? cudaSuccess : cudaErrorSymbolNotFound);
}

extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                                        unsigned long long flags,
                                                        cudaDriverEntryPointQueryResult* found) {
    return cudaGetDriverEntryPoint(name, function, flags, found);
}
