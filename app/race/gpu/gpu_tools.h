#pragma once
// Helper kernels of a race. Each function starts one on the default stream and returns at once.
#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/input_type.h"

namespace tilereel {

// A part of the sequence race_value(seed, first_index), race_value(seed, first_index + 1), ...
struct RaceValues {
    std::uint64_t seed = 0, first_index = 0, count = 0;
};
// Stores the values, rounded to the type.
cudaError_t start_fill(void* to, InputType type, const RaceValues& values);
// to[i] = from[i], which has the given type
cudaError_t start_widen(float* to, const void* from, InputType type, std::uint64_t elements);
// to[i] = |to[i]|
cudaError_t start_absolute(float* to, std::uint64_t elements);

struct DeviceComparison {
    std::uint64_t first_wrong;  // smallest index of a wrong element, or kNoneWrong
    std::uint32_t worst_error;  // the bits of the largest finite |c - r| / (eps magnitude)
    std::uint32_t padding;
};
inline constexpr std::uint64_t kNoneWrong = ~std::uint64_t{0};
// Compares C with a reference, element by element. An element is wrong if it is not finite, or if
// its error exceeds `allowed` in units of eps times its magnitude. `result`: in GPU memory,
// initially {kNoneWrong, 0, 0}.
cudaError_t start_comparison(const float* c, const float* reference, const float* magnitude,
                             std::uint64_t elements, float allowed, DeviceComparison* result);

// Kernels that measure the roofs: a copy of 16 bytes per thread and iteration, and chains of
// multiply-adds in registers.
cudaError_t start_copy(void* to, const void* from, std::uint64_t bytes);  // a multiple of 16
inline constexpr int kChains = 8;                                         // of each thread
inline constexpr int kChainThreads = 256;
cudaError_t start_chains(float* to, int blocks, int steps);  // `to`: one element for each thread

}  // namespace tilereel
