#pragma once
// The roofs of this thread's GPU, measured.
#include <cstdint>

#include "instrumentation/base/result.h"

namespace tilereel {

// Gigabytes (1e9) a second of a copy far larger than the L2. Bytes read and bytes written both
// count.
Result<double> measure_gpu_copy_gbs(std::uint64_t l2_bytes);
// GFLOPS of chains of multiply-adds in registers.
Result<double> measure_gpu_fma_gflops(int multiprocessors);

}  // namespace tilereel
