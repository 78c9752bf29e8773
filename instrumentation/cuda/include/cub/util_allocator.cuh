#pragma once
// cub::CachingDeviceAllocator. It gives memory back to the device at once: nothing is cached.
#pragma GCC system_header
#include "cub/util_debug.cuh"

namespace cub {

struct CachingDeviceAllocator {
    static constexpr unsigned INVALID_BIN = ~0u;
    static constexpr std::size_t INVALID_SIZE = ~std::size_t{0};
    static constexpr int INVALID_DEVICE_ORDINAL = -1;
    unsigned bin_growth, min_bin, max_bin;
    std::size_t max_cached_bytes;
    const bool skip_cleanup;
    bool debug;

    CachingDeviceAllocator(unsigned growth, unsigned min_bin = 1, unsigned max_bin = INVALID_BIN,
                           std::size_t cached = INVALID_SIZE, bool skip_cleanup = false,
                           bool debug = false)
        : bin_growth(growth),
          min_bin(min_bin),
          max_bin(max_bin),
          max_cached_bytes(cached),
          skip_cleanup(skip_cleanup),
          debug(debug) {}
    explicit CachingDeviceAllocator(bool skip_cleanup = false, bool debug = false)
        : CachingDeviceAllocator(8, 3, 7, INVALID_SIZE, skip_cleanup, debug) {}

    cudaError_t SetMaxCachedBytes(std::size_t bytes) {
        max_cached_bytes = bytes;
        return cudaSuccess;
    }
    cudaError_t DeviceAllocate(int, void** pointer, std::size_t bytes, cudaStream_t stream = 0) {
        return DeviceAllocate(pointer, bytes, stream);
    }
    cudaError_t DeviceAllocate(void** pointer, std::size_t bytes, cudaStream_t = 0) {
        return cudaMalloc(pointer, bytes == 0 ? 1 : bytes);
    }
    cudaError_t DeviceFree(int, void* pointer) { return cudaFree(pointer); }
    cudaError_t DeviceFree(void* pointer) { return cudaFree(pointer); }
    cudaError_t FreeAllCached() { return cudaSuccess; }
};

}  // namespace cub
