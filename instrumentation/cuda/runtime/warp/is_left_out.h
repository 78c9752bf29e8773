#pragma once
// The barrier that launches ignore, as include/tilereel/left_out_barrier.h says.
#include "instrumentation/cuda/hooks.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::runtime {

// Whether a barrier of the kernel is left out.
[[nodiscard]] bool leaves_out_a_barrier();
// Whether the barrier or wait at `site` is left out. `site` may be null.
[[nodiscard]] bool is_left_out(const Site* site);
// The order in which threads run while a barrier is left out.
[[nodiscard]] ThreadOrder thread_order();

}  // namespace tilereel::runtime
