#pragma once
// Properties of the simulated GPU that the runtime API reports.
#include <cstdint>

#include "instrumentation/analysis/generations/generation.h"

namespace tilereel::runtime {

inline constexpr int kClockKilohertz = 1'500'000;
[[nodiscard]] std::uint64_t memory_capacity_bytes();
[[nodiscard]] const Generation& generation_chosen();
[[nodiscard]] const DeviceLimits& limits_chosen();
[[nodiscard]] int multiprocessors_chosen();

}  // namespace tilereel::runtime
