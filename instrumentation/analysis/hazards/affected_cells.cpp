#include "instrumentation/analysis/hazards/affected_cells.h"

#include <algorithm>
#include <tuple>

#include "instrumentation/analysis/hazards/phase_races.h"
#include "instrumentation/analysis/hazards/shared_races.h"

namespace tilereel {

std::vector<AffectedCell> affected_cells(const Trace& trace, const std::vector<Finding>& findings,
                                         std::uint32_t block, const Generation& generation) {
    std::vector<AffectedCell> cells;
    if (findings.empty()) return cells;
    // By finding and element: one more than the latest epoch for which the cell is listed. It keeps
    // a loop that clashes at a cell many times in an epoch from listing it again.
    std::vector<std::vector<std::uint32_t>> listed(findings.size());
    const auto list = [&](const Finding& found, std::uint32_t element) {
        if (found.array == kNoArray) return;  // an uninitialised barrier has no cell
        const auto of = std::ranges::find_if(
            findings, [&](const Finding& known) { return of_one_kind(trace, known, found); });
        if (of == findings.end()) return;
        const auto finding = static_cast<std::uint32_t>(of - findings.begin());
        std::vector<std::uint32_t>& until = listed[finding];
        if (element >= until.size()) until.resize(element + 1, 0);
        if (until[element] > found.epoch) return;
        until[element] = found.epoch + 1;
        cells.push_back({.finding = finding,
                         .epoch = found.epoch,
                         .array = found.array,
                         .row = found.row,
                         .column = found.column,
                         .first = found.first,
                         .second = found.second});
    };
    const SegmentRange range = segments_of_block(trace, block);
    const bool phases = needs_clocks(trace, range);
    SharedRaces(trace, generation.independent_lanes, list).add_block(range, !phases);
    if (phases && range.first < range.last)
        PhaseRaces(trace, generation.independent_lanes, list).add_block(range);
    std::ranges::sort(cells, {}, [](const AffectedCell& cell) {
        return std::tuple(cell.epoch, cell.array, cell.row, cell.column, cell.finding);
    });
    return cells;
}

Finding finding_at(const Finding& finding, std::uint32_t block, const AffectedCell& cell) {
    Finding at = finding;
    at.block = block;
    at.epoch = cell.epoch;
    at.first = cell.first;
    at.second = cell.second;
    at.array = cell.array;
    at.row = cell.row;
    at.column = cell.column;
    return at;
}

}  // namespace tilereel
