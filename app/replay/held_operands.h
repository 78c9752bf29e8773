#pragma once
// What each warp holds in registers, an element a lane, between loading it and multiplying with it.
#include "app/replay/schedule.h"

namespace tilereel {

// Per step; empty where no warp multiplies more than once with what it loaded.
[[nodiscard]] std::vector<HeldOperand> find_held_operands(const Trace& trace,
                                                          const Schedule& schedule);

}  // namespace tilereel
