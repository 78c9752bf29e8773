#pragma once
// The operands that each warp holds in registers, one element per lane, from their load to their
// last multiply-add.
#include "app/replay/schedule/schedule.h"

namespace tilereel {

// An operand that a warp loaded from global memory into registers, one element per lane, in a block
// that also uses shared memory.
struct HeldOperand {
    std::uint32_t load_step = kNoStep;   // kNoStep: none yet
    std::uint32_t used = 0, of_all = 0;  // number of its multiply-adds: before the step, in total
};

// By step; empty if no warp uses a loaded value in more than one multiply-add.
[[nodiscard]] std::vector<HeldOperand> find_held_operands(const Trace& trace,
                                                          const Schedule& schedule);
// The operand that the step's warp holds during the step.
[[nodiscard]] inline HeldOperand held_at(const std::vector<HeldOperand>& operands,
                                         std::uint32_t step) {
    return step < operands.size() ? operands[step] : HeldOperand{};
}

}  // namespace tilereel
