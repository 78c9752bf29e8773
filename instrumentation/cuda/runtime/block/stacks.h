#pragma once
// The stacks for the blocks that a CPU thread runs.
#include <cstddef>

#include "instrumentation/cuda/runtime/block/fiber.h"

namespace tilereel::runtime {

// Makes the calling CPU thread use smaller stacks, because many blocks are alive at once.
// `guarded`: with guard pages.
void use_small_stacks(bool guarded);
// At least `threads` stacks. They are kept from launch to launch, because mapping a thousand stacks
// takes longer than most launches.
[[nodiscard]] Fibers& stacks_for(std::size_t threads);

}  // namespace tilereel::runtime
