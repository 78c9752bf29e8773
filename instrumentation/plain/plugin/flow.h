#pragma once
// In which order a function's blocks lie, so that a lane which is behind in this order can be
// waited for: outside of back edges control only moves upwards, a loop's blocks lie together, and
// what follows a loop lies behind it.
#include <map>
#include <vector>

#include "gcc.h"

namespace tilereel::plain {

// The loops of `function` must have been found (loop_optimizer_init).
std::vector<basic_block> blocks_in_order(function* function);

}  // namespace tilereel::plain
