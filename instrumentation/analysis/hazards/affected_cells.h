#pragma once
// All elements of a block's shared memory that its hazards affect.
#include "instrumentation/analysis/hazards/hazards.h"

namespace tilereel {

// An element that a finding affects in one epoch, and the first two conflicting accesses there.
// A read of a cell that was never written has only `first`.
struct AffectedCell {
    std::uint32_t finding = 0;  // index into the findings given
    std::uint32_t epoch = 0;
    ArrayId array = kNoArray;
    std::uint32_t row = 0, column = 0;
    HazardParty first{}, second{};
};

// The cells of `block`, sorted by epoch, array, row, column and finding. `findings`: the result of
// find_hazards() for the same generation.
[[nodiscard]] std::vector<AffectedCell> affected_cells(
    const Trace& trace, const std::vector<Finding>& findings, std::uint32_t block,
    const Generation& generation = default_generation());

// The finding with the parties at this cell, for sentence_of().
[[nodiscard]] Finding finding_at(const Finding& finding, std::uint32_t block,
                                 const AffectedCell& cell);

}  // namespace tilereel
