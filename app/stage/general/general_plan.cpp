#include <algorithm>
#include <cmath>

#include "app/replay/arrays/row_length.h"
#include "app/stage/general/general.h"
#include "app/stage/plan/plan.h"
#include "app/stage/plan/values.h"

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

// The length of the longest value in a sample of those that the block uses, before the first step
// and at the end.
int characters_of(const Replay& replay, const ArrayContents& contents, ArrayId id) {
    constexpr std::uint64_t kSamples = 256;
    constexpr std::size_t kMost = 7;  // "-1.5e-3"; longer ones are rare
    const Array& array = replay.trace().arrays[id];
    const ArrayContents::Range used = contents.used(id);
    if (array.type == ElementType::kBytes || used.empty()) return 1;
    std::size_t most = 1;
    const std::uint64_t apart = std::max<std::uint64_t>((used.last - used.first) / kSamples, 1);
    const auto end = static_cast<std::uint32_t>(replay.schedule().steps.size());
    for (std::uint64_t cell = used.first; cell < used.last; cell += apart)
        for (const std::uint32_t step : {0u, end})
            if (const std::vector<std::byte> bytes = contents.bytes(id, cell, step); !bytes.empty())
                most = std::max(most, text_of_value(type_of_cell(array, cell), bytes).length);
    return static_cast<int>(std::min(most, kMost));
}

}  // namespace

bool GeneralPlan::refresh(const Replay& replay, const StagePlan& plan) {
    if (replay.id() == replay_) return false;
    replay_ = replay.id();
    contents_ = std::make_unique<ArrayContents>(replay);
    uses_ = std::make_unique<ArrayUses>(replay);
    arrays_.clear();
    left_out_ = 0;
    const Trace& trace = replay.trace();
    std::vector<bool> known(trace.arrays.size(), false);
    for (const Site& site : trace.sites) {  // in the order of first access
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
        array.structured = found_row_length(replay, site.array).has_value();
        array.one_extent =
            trace.arrays[site.array].one_extent || trace.arrays[site.array].rows <= 1;
        if (array.one_extent) array.offered_rows = offers(array, trace.launch);
        array.characters = characters_of(replay, *contents_, site.array);
        arrays_.push_back(std::move(array));
    }
    return true;
}

}  // namespace tilereel::stage
