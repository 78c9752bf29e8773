#pragma once
// Helper kernels of a race. Each function starts one on the default stream and returns at once.
#include <cuda_runtime_api.h>

#include <cstdint>

namespace tilereel {

// to[i] = race_value(seed, first_index + i)
cudaError_t start_fill(float* to, std::uint64_t seed, std::uint64_t first_index,
                       std::uint64_t elements);
// to[i] = |from[i]|
cudaError_t start_absolute(float* to, const float* from, std::uint64_t elements);

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
