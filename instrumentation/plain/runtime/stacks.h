#pragma once
// The stacks of a CPU thread's blocks.
#include <cstddef>

#include "instrumentation/record/fiber.h"

namespace tilereel::plain {

// At least `threads` of them. Kept from launch to launch: to map a thousand takes longer than most
// launches.
// Of the calling CPU thread: many blocks that are alive at once have smaller stacks, and without
// guard pages.
void use_small_stacks(bool guarded);
[[nodiscard]] Fibers& stacks_for(std::size_t threads);

}  // namespace tilereel::plain
