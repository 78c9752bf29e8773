#pragma once
// The dialect: one kernel source, several builds of it. A kernel includes this and nothing else.
// Each build keeps its types in a namespace of its own, so that they can be linked into one
// program.
#if defined(TILEREEL_BUILD_EMULATED)
#include "kernels/dialect/emulated.h"
#else
#ifndef TILEREEL_BUILD_NATIVE
#define TILEREEL_BUILD_NATIVE
#endif
#include "kernels/dialect/native.cuh"
#endif

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

#ifdef __CUDACC__
// A constant of the launch, the same for all threads: TILE, for a kernel that learns it only then.
// Lies in constant memory, so reading it is no global access and is not recorded. Whoever launches
// sets it first (kernels/cuda/device_kernels.h).
static __constant__ int block_edge;
#endif

// How many trips of a loop `#pragma unroll kUnroll` writes out: all.
inline constexpr int kUnroll = 1024;

// C(M,N) = A(M,K) B(K,N), row-major.
struct Shape {
    int m, n, k;
};

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect

using namespace tilereel::dialect;  // NOLINT: a kernel reads like the CUDA of a textbook
