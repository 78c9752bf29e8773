#pragma once
// Orders the basic blocks of a function, so that lanes can wait for the lane that is furthest
// behind in this order. Except for back edges, control flows only to later blocks. The blocks of a
// loop are contiguous, and the blocks after a loop come later.
#include <map>
#include <vector>

#include "gcc.h"

namespace tilereel::runtime {

// Requires the loops of `function` (loop_optimizer_init).
std::vector<basic_block> blocks_in_order(function* function);

}  // namespace tilereel::runtime
