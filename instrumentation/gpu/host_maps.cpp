// The tensor maps that a recorded program makes with cuTensorMapEncodeTiled. The program calls that
// function by its name, or gets it from cudaGetDriverEntryPoint...(): the linker redirects both
// here (--wrap).
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstring>
#include <mutex>

#include "host_runtime.h"
#include "tensor_map_types.h"

#define TILEREEL_WRAP(result, name, parameters) \
    extern "C" result __real_##name parameters; \
    extern "C" result __wrap_##name parameters

#if CUDART_VERSION >= 12050
extern "C" cudaError_t __real_cudaGetDriverEntryPointByVersion(const char*, void**, unsigned,
                                                               unsigned long long,
                                                               cudaDriverEntryPointQueryResult*);
#else
extern "C" cudaError_t __real_cudaGetDriverEntryPoint(const char*, void**, unsigned long long,
                                                      cudaDriverEntryPointQueryResult*);
#endif

namespace tilereel_gpu {
namespace {

std::mutex map_mutex;
constexpr char kEncode[] = "cuTensorMapEncodeTiled";
decltype(&cuTensorMapEncodeTiled) encode_of_driver = nullptr;

std::vector<DumpMap>& made_maps() {
    static auto& all = *new std::vector<DumpMap>;
    return all;
}

// A program that calls the function by its name has not asked for its address.
bool find_encode_of_driver() {
    void* function = reinterpret_cast<void*>(encode_of_driver);
    if (function != nullptr) return true;
    cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
    constexpr unsigned kSince = 12000;  // CUDA 12.0
    __real_cudaGetDriverEntryPointByVersion(kEncode, &function, kSince, cudaEnableDefault, &found);
#else
    __real_cudaGetDriverEntryPoint(kEncode, &function, cudaEnableDefault, &found);
#endif
    encode_of_driver = reinterpret_cast<decltype(encode_of_driver)>(function);
    return function != nullptr;
}

CUresult encode(CUtensorMap* result, CUtensorMapDataType type, cuuint32_t rank, void* first,
                const cuuint64_t* extents, const cuuint64_t* strides, const cuuint32_t* box,
                const cuuint32_t* steps, CUtensorMapInterleave interleave,
                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                CUtensorMapFloatOOBfill fill) {
    if (!find_encode_of_driver()) return CUDA_ERROR_NOT_FOUND;
    const CUresult made = encode_of_driver(result, type, rank, first, extents, strides, box, steps,
                                           interleave, swizzle, promotion, fill);
    // Other maps are not kept. The elements that copies through them write are not recorded.
    const bool is_supported = interleave == CU_TENSOR_MAP_INTERLEAVE_NONE &&
                              swizzle <= CU_TENSOR_MAP_SWIZZLE_128B && element_bytes_of(type) != 0;
    if (made != CUDA_SUCCESS || !is_supported || rank > 5) return made;
    DumpMap map{};
    std::uint32_t words[32];
    static_assert(sizeof words == sizeof *result);
    std::memcpy(words, result, sizeof words);
    map.hash = map_hash(words);
    map.first = reinterpret_cast<std::uint64_t>(first);
    map.rank = rank;
    map.element_bytes = element_bytes_of(type);
    map.swizzle_bytes = swizzle_bytes_of(swizzle);
    for (cuuint32_t i = 0; i < rank; ++i) {
        if (i > 0) map.stride_bytes[i - 1] = strides[i - 1];
        map.last[i] = static_cast<std::uint32_t>(extents[i] - 1);
        map.box[i] = box[i];
        map.step[i] = steps[i];
    }
    const std::lock_guard lock(map_mutex);
    made_maps().push_back(map);
    return made;
}

void* redirected(const char* name, void* function) {
    if (function == nullptr || std::strcmp(name, kEncode) != 0) return function;
    encode_of_driver = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
    return reinterpret_cast<void*>(&encode);
}

}  // namespace

std::vector<DumpMap> tensor_maps() {
    const std::lock_guard lock(map_mutex);
    return made_maps();
}

}  // namespace tilereel_gpu

extern "C" CUresult __wrap_cuTensorMapEncodeTiled(
    CUtensorMap* result, CUtensorMapDataType type, cuuint32_t rank, void* first,
    const cuuint64_t* extents, const cuuint64_t* strides, const cuuint32_t* box,
    const cuuint32_t* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    return tilereel_gpu::encode(result, type, rank, first, extents, strides, box, steps, interleave,
                                swizzle, promotion, fill);
}
#if CUDART_VERSION < 13000
TILEREEL_WRAP(cudaError_t, cudaGetDriverEntryPoint,
              (const char* name, void** function, unsigned long long flags,
               cudaDriverEntryPointQueryResult* found)) {
    const cudaError_t error = __real_cudaGetDriverEntryPoint(name, function, flags, found);
    if (error == cudaSuccess) *function = tilereel_gpu::redirected(name, *function);
    return error;
}
#endif
#if CUDART_VERSION >= 12050
TILEREEL_WRAP(cudaError_t, cudaGetDriverEntryPointByVersion,
              (const char* name, void** function, unsigned version, unsigned long long flags,
               cudaDriverEntryPointQueryResult* found)) {
    const cudaError_t error =
        __real_cudaGetDriverEntryPointByVersion(name, function, version, flags, found);
    if (error == cudaSuccess) *function = tilereel_gpu::redirected(name, *function);
    return error;
}
#endif
