#include <algorithm>
#include <cmath>

#include "app/replay/row_length.h"
#include "app/stage/general.h"
#include "app/stage/plan.h"

namespace tilereel::stage {
namespace {

void offer(std::vector<std::uint32_t>& rows, std::uint64_t cells, std::uint64_t length) {
    if (length < 2 || length > cells) return;
    const auto value = static_cast<std::uint32_t>(length);
    if (std::ranges::find(rows, value) == rows.end()) rows.push_back(value);
}

std::vector<std::uint32_t> offers(const GlobalArray& array, const Launch& launch) {
    std::vector<std::uint32_t> rows{array.guessed_row};
    for (const std::uint64_t length : {16u, 32u, 64u, launch.block.x})
        offer(rows, array.cells, length);
    const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(array.cells)));
    if (root * root == array.cells) offer(rows, array.cells, root);
    for (const NamedInteger& integer : launch.integers)
        if (integer.value > 1) offer(rows, array.cells, static_cast<std::uint64_t>(integer.value));
    return rows;
}

}  // namespace

bool GeneralPlan::refresh(const Replay& replay, const StagePlan& plan) {
    if (replay.id() == replay_) return false;
    replay_ = replay.id();
    contents_ = std::make_unique<ArrayContents>(replay);
    arrays_.clear();
    left_out_ = 0;
    const Trace& trace = replay.trace();
    std::vector<bool> known(trace.arrays.size(), false);
    for (const Site& site : trace.sites) {  // by first access
        if (!is_access(site.operation) || site.array >= trace.arrays.size()) continue;
        if (trace.arrays[site.array].space == Space::kShared || known[site.array]) continue;
        known[site.array] = true;
        if (arrays_.size() == kMostGlobalArrays) {
            ++left_out_;
            continue;
        }
        GlobalArray array;
        array.id = site.array;
        array.role = plan.role(site.array);
        array.cells = cell_count(trace.arrays[site.array]);
        array.guessed_row = row_length_of(replay, site.array);
        array.offered_rows = offers(array, trace.launch);
        array.used = contents_->used(site.array);
        arrays_.push_back(std::move(array));
    }
    return true;
}

}  // namespace tilereel::stage
