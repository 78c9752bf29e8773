#pragma once
// CUDA's keywords as macros for g++ with our plugin. They expand to attributes, by which the plugin
// recognises device code. TILEREEL_HOST_FILE: the file has no device code, and nvcc would pass it
// to the host compiler.
#ifndef TILEREEL_HOST_FILE
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif

#define __global__ __attribute__((tilereel_global))
#define __device__ __attribute__((tilereel_device))
#define __host__ __attribute__((tilereel_host))
#define __shared__ static __thread __attribute__((tilereel_shared))
// Our pass over the source text replaces __shared__ after extern by this.
#define __dynamic_ __thread __attribute__((tilereel_shared, tilereel_dynamic))
#define __constant__ __attribute__((tilereel_constant))
#define __managed__ __attribute__((tilereel_device))
#define TILEREEL_CALL __attribute__((tilereel_call))
#define TILEREEL_ACCESS(kind) __attribute__((tilereel_access(kind)))
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...) __attribute__((tilereel_cluster(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __import__
#define __export__
#define __cdecl
#define CUDARTAPI
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB
#define __device_builtin__
#define __cudart_builtin__

#define TILEREEL_INLINE inline __attribute__((always_inline))

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "vector_types.h"

#ifndef TILEREEL_HOST_FILE
// The built-in variables of the running thread. They do not change while a fiber runs its thread,
// so the compiler may treat them as constants.
extern "C" {
extern __thread const uint3 threadIdx __attribute__((tilereel_built_in));
extern __thread const uint3 blockIdx __attribute__((tilereel_built_in));
extern __thread const dim3 blockDim __attribute__((tilereel_built_in));
extern __thread const dim3 gridDim __attribute__((tilereel_built_in));
}
static constexpr int warpSize = 32;
#endif
