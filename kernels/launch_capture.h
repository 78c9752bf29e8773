#pragma once
// Replaces CUDA when the host code of a CUDA file runs only to find its launch. No kernel
// runs; the launch is stored in `captured`. For ladder_files.cpp, which
// kernels/writer writes.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/ladder_file.h"

namespace tilereel {
namespace {

struct dim3 {  // NOLINT: named as CUDA names
    unsigned x = 1, y = 1, z = 1;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}  // NOLINT
};
struct float2 {
    float x, y;
};
struct __nv_bfloat16 {  // NOLINT: named as CUDA names
    std::uint16_t bits;
};
struct alignas(16) float4 {
    float x, y, z, w;
};

thread_local CapturedLaunch captured;

// The allocations of a launch function for copies of the matrices. No data is copied: an allocation
// is an address for which source_of() returns the copied matrix.
struct CapturedCopies {
    static constexpr std::size_t kMost = 8;
    char memory[kMost];
    const void* copied[kMost];
    std::size_t count = 0;

    [[nodiscard]] const void* source_of(const void* address) const {
        for (std::size_t i = 0; i < count; ++i)
            if (address == &memory[i]) return copied[i];
        return address;
    }
};
thread_local CapturedCopies captured_copies;

// The types and functions of the CUDA runtime and driver that launch functions use for memory and
// tensor maps (CUDA Driver API, "Tensor Map Object Management").
using cuuint32_t = std::uint32_t;
using cuuint64_t = std::uint64_t;
struct alignas(64) CUtensorMap {
    std::size_t number = 0;  // index in CapturedLaunch::maps
    std::uint64_t opaque[15] = {};
};
static_assert(sizeof(CUtensorMap) == 128);
enum CUtensorMapDataType {
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9
};
enum CUtensorMapInterleave { CU_TENSOR_MAP_INTERLEAVE_NONE };
enum CUtensorMapSwizzle {
    CU_TENSOR_MAP_SWIZZLE_NONE = 0,
    CU_TENSOR_MAP_SWIZZLE_32B = 1,
    CU_TENSOR_MAP_SWIZZLE_64B = 2,
    CU_TENSOR_MAP_SWIZZLE_128B = 3
};
enum CUtensorMapL2promotion {
    CU_TENSOR_MAP_L2_PROMOTION_NONE,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};
enum CUtensorMapFloatOOBfill { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE };
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess };
enum { cudaEnableDefault, cudaMemcpyDeviceToDevice };

inline int cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t,
                                  void* matrix, const cuuint64_t* extents, const cuuint64_t*,
                                  const cuuint32_t* box, const cuuint32_t*, CUtensorMapInterleave,
                                  CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                  CUtensorMapFloatOOBfill) {
    constexpr int kLeastSwizzleBytes = 16;  // CU_TENSOR_MAP_SWIZZLE_32B doubles it once
    map->number = captured.maps.size();
    captured.maps.push_back({.matrix = captured_copies.source_of(matrix),
                             .type = type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 ? InputType::kBfloat16
                                                                              : InputType::kFloat32,
                             .rows = static_cast<int>(extents[1]),
                             .columns = static_cast<int>(extents[0]),
                             .box_rows = static_cast<int>(box[1]),
                             .box_columns = static_cast<int>(box[0]),
                             .swizzle_bytes = swizzle == CU_TENSOR_MAP_SWIZZLE_NONE
                                                  ? 0
                                                  : kLeastSwizzleBytes << swizzle});
    return 0;
}
template <class... Rest>
void cudaGetDriverEntryPointByVersion(const char* name, void** function, Rest...) {
    *function = std::strcmp(name, "cuTensorMapEncodeTiled") == 0
                    ? reinterpret_cast<void*>(&cuTensorMapEncodeTiled)
                    : nullptr;
}
template <class Element>
void cudaMalloc(Element** memory, std::size_t) {
    *memory = nullptr;
    if (captured_copies.count == CapturedCopies::kMost) return;
    char* const taken = &captured_copies.memory[captured_copies.count];
    captured_copies.copied[captured_copies.count++] = nullptr;
    *memory = reinterpret_cast<Element*>(taken);
}
template <class... Rest>
void cudaMemcpy2D(void* to, std::size_t, const void* from, Rest...) {
    for (std::size_t i = 0; i < captured_copies.count; ++i)
        if (to == &captured_copies.memory[i]) captured_copies.copied[i] = from;
}
inline void cudaFree(void*) {}
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16 };
// As an H100 has; a launch function that starts a block for each may ask.
inline void cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) { *value = 132; }

// kernels/writer replaces kernel<<<grid, block, bytes, stream>>>(arguments) by
// launch_shape(grid, block, bytes, stream)(arguments). Stores both in `captured`.
template <class... Stream>
auto launch_shape(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes = 0, Stream...) {
    captured.grid_x = grid.x, captured.grid_y = grid.y, captured.grid_z = grid.z;
    captured.block_x = block.x, captured.block_y = block.y, captured.block_z = block.z;
    captured.dynamic_shared_bytes = dynamic_shared_bytes;
    ++captured.launches;
    captured.arguments.clear();
    return [](const auto&... arguments) {
        const auto keep = [](const auto& argument) {
            CapturedArgument& kept = captured.arguments.emplace_back();
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(argument)>, CUtensorMap>) {
                kept.map = static_cast<int>(argument.number);
            } else {
                static_assert(sizeof argument <= sizeof kept.bytes);
                std::memcpy(&kept.bytes, &argument, sizeof argument);
            }
        };
        (keep(arguments), ...);
    };
}

}  // namespace

#define cudaFuncSetAttribute(...) static_cast<void>(0)
#define cudaFuncSetCacheConfig(...) static_cast<void>(0)

}  // namespace tilereel
