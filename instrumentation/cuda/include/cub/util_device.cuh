#pragma once
// Questions about the device.
#pragma GCC system_header
#include "cub/util_debug.cuh"

namespace cub {

inline int CurrentDevice() {
    int device = -1;
    return cudaGetDevice(&device) == cudaSuccess ? device : -1;
}
inline int DeviceCount() {
    int count = -1;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : -1;
}
inline cudaError_t PtxVersion(int& version) {
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    version = properties.major * 100 + properties.minor * 10;
    return error;
}
inline cudaError_t SmVersion(int& version, int = 0) { return PtxVersion(version); }
inline cudaError_t SyncStream(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
template <class Kernel>
inline cudaError_t MaxSmOccupancy(int& blocks, Kernel kernel, int threads, int shared = 0) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared);
}

}  // namespace cub
