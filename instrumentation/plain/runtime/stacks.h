#pragma once
// The stacks of a CPU thread's blocks.
#include <cstddef>

#include "instrumentation/record/fiber.h"

namespace tilereel::plain {

// At least `threads` of them. Kept from launch to launch: to map a thousand takes longer than most
// launches.
[[nodiscard]] Fibers& stacks_for(std::size_t threads);

}  // namespace tilereel::plain
