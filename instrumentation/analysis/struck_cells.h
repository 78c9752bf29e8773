#pragma once
// Where in a block's shared memory its hazards strike: every cell, not only the first.
#include "instrumentation/analysis/hazards.h"

namespace tilereel {

// A 4-byte cell that a finding strikes in one epoch, and the first two accesses of that pair of
// sites that clash there. A read of a cell that was never written has `first` only.
struct StruckCell {
    std::uint32_t finding = 0;  // index into the findings given
    std::uint32_t epoch = 0;
    ArrayId array = kNoArray;
    std::uint32_t row = 0, column = 0;
    HazardParty first{}, second{};
};

// The cells of `block`, sorted by epoch, array, row, column and finding. `findings` are those of
// find_hazards() by the same generation.
[[nodiscard]] std::vector<StruckCell> struck_cells(
    const Trace& trace, const std::vector<Finding>& findings, std::uint32_t block,
    const Generation& generation = default_generation());

// The finding as it happens at this cell: for sentence_of().
[[nodiscard]] Finding finding_at(const Finding& finding, std::uint32_t block,
                                 const StruckCell& cell);

}  // namespace tilereel
