#pragma once
// CUB's checks of errors.
#pragma GCC system_header
#include <cstdio>
#include <cstdlib>

#include "cub/util_type.cuh"

namespace cub {

inline cudaError_t Debug(cudaError_t error, const char* file, int line) {
    if (error != cudaSuccess)
        std::fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", int(error), file, line,
                     cudaGetErrorString(error));
    return error;
}

}  // namespace cub

#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                \
    do {                                                               \
        if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) exit(1); \
    } while (0)
#define _CubLog(format, ...) printf(format, __VA_ARGS__)
