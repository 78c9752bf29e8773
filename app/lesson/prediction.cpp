#include "app/lesson/prediction.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace tilereel {
namespace {

// The right answer and plausible wrong ones: the ideal, one pass for each lane, half of that, and
// values near the answer.
std::vector<std::uint32_t> choices_for(std::uint32_t right, std::uint32_t lanes,
                                       std::uint32_t ideal) {
    std::set<std::uint32_t> choices{right};
    for (const std::uint32_t other : {ideal, lanes, lanes / 2, 2 * right, right / 2, right + 1}) {
        if (choices.size() == 4) break;
        if (other > 0) choices.insert(other);
    }
    return {choices.begin(), choices.end()};
}

std::string_view verb_of(const Site& site, bool shared) {
    if (is_copy(site.operation)) return "copies";
    if (site.operation == Operation::kAtomic) return "changes";
    if (writes(site.operation)) return shared ? "stores to" : "writes";
    return shared ? "reads" : "loads from";
}

}  // namespace

std::optional<Prediction> prediction_of(const Replay& replay, std::uint32_t step) {
    const Schedule& schedule = replay.schedule();
    if (step >= schedule.steps.size()) return std::nullopt;
    const Trace& trace = replay.trace();
    const Site& site = trace.sites[schedule.steps[step].site];
    if (site.array == kNoArray || site.array >= trace.arrays.size()) return std::nullopt;
    if (site.is_of_product()) return std::nullopt;  // modelled: nothing counts it
    const Array& array = trace.arrays[site.array];
    const RequestCost& cost = schedule.costs[step];
    const bool shared = array.space == Space::kShared;
    if (array.space == Space::kConstant || cost.lanes < 2) return std::nullopt;
    const GlobalRules& rules = replay.generation().global;
    Prediction asked;
    asked.step = step;
    const std::uint32_t right = shared ? cost.wavefronts : cost.transactions;
    if (right == 0) return std::nullopt;
    asked.unit = shared ? "wavefronts" : std::string(rules.units);
    // Shared memory: the wavefronts without conflicts. Global memory: the sectors that the lanes
    // would fill if their bytes lay side by side, rounded down.
    const auto sector = static_cast<std::uint32_t>(rules.sector_bytes);
    const std::uint32_t ideal =
        shared ? std::max(1u, cost.ideal_wavefronts) : std::max(1u, cost.bytes_requested / sector);
    asked.choices = choices_for(right, cost.lanes, ideal);
    asked.right =
        static_cast<std::size_t>(std::ranges::find(asked.choices, right) - asked.choices.begin());
    asked.question = "Warp " + std::to_string(schedule.steps[step].warp) + " " +
                     std::string(verb_of(site, shared)) + " " + array.name + " on line " +
                     std::to_string(site.line) + " with " + std::to_string(cost.lanes) +
                     " lanes. How many " + asked.unit + " will that take?";
    return asked;
}

std::optional<std::uint32_t> next_to_predict(const Replay& replay, double from) {
    using Kind = std::tuple<std::uint32_t, ArrayId, std::uint32_t, std::uint32_t>;
    std::set<Kind> asked;
    const Schedule& schedule = replay.schedule();
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        const Site& site = replay.trace().sites[step.site];
        const RequestCost& cost = schedule.costs[i];
        const bool fresh =
            asked.insert({site.line, site.array, cost.wavefronts, cost.transactions}).second;
        if (fresh && static_cast<double>(step.begin) >= from && prediction_of(replay, i)) return i;
    }
    return std::nullopt;
}

}  // namespace tilereel
