#include "app/replay/schedule/held_operands.h"

namespace tilereel {
namespace {

// Whether the step loads an operand from global memory to multiply it, not to store it in a tile.
bool is_operand(const Trace& trace, const Step& step) {
    const Site& site = trace.sites[step.site];
    return site.operation == Operation::kLoad && step.part == Part::kCompute &&
           trace.arrays[site.array].space == Space::kGlobal;
}

// The number of multiply-adds that take effect when the step ends.
std::uint32_t multiply_adds_after(const Trace& trace, const Schedule& schedule, std::size_t step) {
    std::uint32_t count = 0;
    for (std::uint64_t record = schedule.deferred_begin[step]; record < schedule.deferred_end[step];
         ++record)
        count += site_at(trace, record).operation == Operation::kMultiplyAdd ? 1u : 0u;
    return count;
}

}  // namespace

std::vector<HeldOperand> find_held_operands(const Trace& trace, const Schedule& schedule) {
    const std::vector<Step>& steps = schedule.steps;
    if (std::ranges::none_of(steps, [&](const Step& step) { return is_operand(trace, step); }))
        return {};
    std::vector<HeldOperand> held(steps.size());
    std::vector<HeldOperand> of_warp;
    std::vector<std::uint32_t> uses(steps.size(), 0);  // per step that loads an operand
    for (std::uint32_t index = 0; index < steps.size(); ++index) {
        const Step& step = steps[index];
        if (step.warp >= of_warp.size()) of_warp.resize(step.warp + std::size_t{1});
        HeldOperand& operand = of_warp[step.warp];
        if (is_operand(trace, step)) operand = {.load_step = index};
        held[index] = operand;
        if (operand.load_step == kNoStep) continue;
        operand.used += multiply_adds_after(trace, schedule, index);
        uses[operand.load_step] = operand.used;
    }
    if (std::ranges::all_of(uses, [](std::uint32_t count) { return count < 2; })) return {};
    for (HeldOperand& operand : held)
        if (operand.load_step != kNoStep) operand.of_all = uses[operand.load_step];
    return held;
}

}  // namespace tilereel
