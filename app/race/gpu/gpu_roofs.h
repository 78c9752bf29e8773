#pragma once
// Measures the roofs of this thread's GPU.
#include <cstdint>

#include "instrumentation/base/result.h"

namespace tilereel {

// The bandwidth of a copy far larger than the L2, in 1e9 bytes (read and written) per second.
Result<double> measure_gpu_copy_gbs(std::uint64_t l2_bytes);
// GFLOPS of chains of multiply-adds in registers.
Result<double> measure_gpu_fma_gflops(int multiprocessors);

}  // namespace tilereel
