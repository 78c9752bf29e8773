#pragma once
// The emulated build of every kernel of the ladder.
#include <string_view>

#include "instrumentation/record/block_runner.h"

namespace tilereel {

// nullptr if there is no such kernel or instantiation.
[[nodiscard]] KernelBody find_emulated_kernel(std::string_view id, int tile, int pad);

}  // namespace tilereel
