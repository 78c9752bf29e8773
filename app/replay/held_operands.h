#pragma once
// What each warp holds in registers, an element a lane, between loading it and multiplying with it.
#include "app/replay/schedule.h"

namespace tilereel {

// An operand that a warp loaded from global memory into registers, an element a lane, in a block
// that stages tiles in shared memory.
struct HeldOperand {
    std::uint32_t load_step = kNoStep;   // kNoStep: none yet
    std::uint32_t used = 0, of_all = 0;  // multiply-adds with it: before the step, and in all
};

// Per step; empty where no warp multiplies more than once with what it loaded.
[[nodiscard]] std::vector<HeldOperand> find_held_operands(const Trace& trace,
                                                          const Schedule& schedule);
// What the step's warp holds while the step runs.
[[nodiscard]] inline HeldOperand held_at(const std::vector<HeldOperand>& operands,
                                         std::uint32_t step) {
    return step < operands.size() ? operands[step] : HeldOperand{};
}

}  // namespace tilereel
