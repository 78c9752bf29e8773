#pragma once
// The roofs of this thread's GPU, measured.
#include <cstdint>

#include "instrumentation/base/result.h"

namespace tilereel {

// 1e9 bytes a second, read and written, by a copy far larger than the L2.
Result<double> measure_gpu_copy_gbs(std::uint64_t l2_bytes);
// GFLOPS of chains of multiply-adds in registers.
Result<double> measure_gpu_fma_gflops(int multiprocessors);

}  // namespace tilereel
