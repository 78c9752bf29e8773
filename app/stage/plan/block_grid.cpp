#include "app/stage/plan/block_grid.h"

#include <algorithm>

#include "app/replay/elements.h"
#include "instrumentation/trace/views.h"

namespace tilereel::stage {
namespace {

// The elements of C that a block stores. Empty if it stores none.
CellRect stores_of_block(const Trace& trace, std::uint32_t block, ArrayId c) {
    CellRect rect;
    const SegmentRange range = segments_of_block(trace, block);
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            const Site& site = site_at(trace, record);
            if (site.operation != Operation::kStore || site.array != c) continue;
            for_each_element(lane_offsets(trace, record), trace.arrays[c], site.width_bytes,
                             [&](std::uint32_t, std::uint32_t, Element at) { include(rect, at); });
        }
    }
    return rect;
}

// Sets `step` so that from + at * step == to. False if there is no such step, or if an earlier call
// found another one.
bool fits_step(std::uint32_t at, std::uint32_t from, std::uint32_t to,
               std::optional<std::uint32_t>& step) {
    if (at == 0) return from == to;
    if (to < from || (to - from) % at != 0) return false;
    if (!step) step = (to - from) / at;
    return (to - from) / at == *step;
}

// If only some blocks were recorded, block (1, 0) or (0, 1) may be missing. Then the distance
// between neighbours is computed from the recorded blocks. `turned`: blocks with a larger x store
// further down in C. False if the distances are not proportional to x and y.
bool find_steps(const Trace& trace, ArrayId c, bool turned, BlockGrid& grid) {
    std::optional<std::uint32_t> by_x, by_y;
    for (const std::uint32_t block : trace.chosen_blocks) {
        const CellRect stored = stores_of_block(trace, block, c);
        if (stored.empty()) continue;
        const std::uint32_t x = block % trace.launch.grid.x, y = block / trace.launch.grid.x;
        const bool fits =
            fits_step(turned ? y : x, grid.first.column0, stored.column0, turned ? by_y : by_x) &&
            fits_step(turned ? x : y, grid.first.row0, stored.row0, turned ? by_x : by_y);
        if (!fits) return false;
    }
    (turned ? grid.row_by_x : grid.column_by_x) = by_x.value_or(0);
    (turned ? grid.column_by_y : grid.row_by_y) = by_y.value_or(0);
    return true;
}

// The distinct values of one coordinate of the rectangles, ascending.
std::vector<std::uint32_t> starts(const std::vector<CellRect>& rects,
                                  std::uint32_t CellRect::*begin) {
    std::vector<std::uint32_t> values;
    for (const CellRect& rect : rects) values.push_back(rect.*begin);
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    return values;
}

std::uint32_t index_of(const std::vector<std::uint32_t>& values, std::uint32_t value) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(values, value) - values.begin());
}

}  // namespace

CellRect BlockGrid::at(std::uint32_t x, std::uint32_t y, const Launch& launch) const {
    if (!each.empty()) {
        const std::uint32_t block = y * launch.grid.x + x;
        if (listed.empty()) return each[block];
        const auto found = std::ranges::lower_bound(listed, block);
        if (found == listed.end() || *found != block) return {};
        return each[static_cast<std::size_t>(found - listed.begin())];
    }
    const std::uint32_t row = first.row0 + x * row_by_x + y * row_by_y;
    const std::uint32_t column = first.column0 + x * column_by_x + y * column_by_y;
    return {row, column, std::min(row + first.rows(), launch.m),
            std::min(column + first.columns(), launch.n)};
}

std::optional<std::uint32_t> BlockGrid::storing(Element element, const Launch& launch) const {
    std::optional<std::uint32_t> found;
    for_each(launch, [&](std::uint32_t x, std::uint32_t y) {
        if (!found && contains(at(x, y, launch), element)) found = y * launch.grid.x + x;
    });
    return found;
}

BlockGrid grid_of_blocks(const Trace& trace, ArrayId c) {
    BlockGrid grid;
    grid.first = stores_of_block(trace, 0, c);
    if (trace.launch.blocks() > BlockGrid::kMostBlocks) {
        grid.listed = trace.segments.block;  // ascending
        grid.listed.erase(std::ranges::unique(grid.listed).begin(), grid.listed.end());
    }
    if (!trace.chosen_blocks.empty() && !grid.first.empty())
        for (const bool turned : {false, true})
            if (find_steps(trace, c, turned, grid)) return grid;
    const auto stored_by = [&](std::uint32_t x, std::uint32_t y) {
        return stores_of_block(trace, y * trace.launch.grid.x + x, c);
    };
    const std::uint32_t last_x = trace.launch.grid.x - 1, last_y = trace.launch.grid.y - 1;
    if (const CellRect right = last_x > 0 ? stored_by(1, 0) : CellRect{}; !right.empty()) {
        grid.row_by_x = right.row0 - grid.first.row0;
        grid.column_by_x = right.column0 - grid.first.column0;
    }
    if (const CellRect below = last_y > 0 ? stored_by(0, 1) : CellRect{}; !below.empty()) {
        grid.row_by_y = below.row0 - grid.first.row0;
        grid.column_by_y = below.column0 - grid.first.column0;
    }
    const auto is_where_expected = [&](std::uint32_t x, std::uint32_t y) {
        const CellRect stored = stored_by(x, y);
        return stored.empty() || stored == grid.at(x, y, trace.launch);
    };
    if (is_where_expected(last_x, 0) && is_where_expected(0, last_y) &&
        is_where_expected(last_x, last_y))
        return grid;
    grid.for_each(trace.launch,
                  [&](std::uint32_t x, std::uint32_t y) { grid.each.push_back(stored_by(x, y)); });
    return grid;
}

std::uint32_t BlockMap::place_of(std::uint32_t block) const {
    const auto found = std::ranges::find(blocks, block);
    return found == blocks.end() ? block : static_cast<std::uint32_t>(found - blocks.begin());
}

BlockMap map_of_blocks(const BlockGrid& grid, const Launch& launch) {
    if (!grid.listed.empty())
        return {.columns = static_cast<std::uint32_t>(grid.listed.size()), .blocks = grid.listed};
    BlockMap map{std::max(launch.grid.y, 1u), std::max(launch.grid.x, 1u)};
    if (grid.each.empty()) return map;
    const std::vector<std::uint32_t> rows = starts(grid.each, &CellRect::row0);
    const std::vector<std::uint32_t> columns = starts(grid.each, &CellRect::column0);
    if (rows.size() * columns.size() != grid.each.size()) return map;
    map.rows = static_cast<std::uint32_t>(rows.size());
    map.columns = static_cast<std::uint32_t>(columns.size());
    map.blocks.assign(grid.each.size(), 0);
    for (std::uint32_t block = 0; block < grid.each.size(); ++block)
        map.blocks[std::size_t{index_of(rows, grid.each[block].row0)} * map.columns +
                   index_of(columns, grid.each[block].column0)] = block;
    return map;
}

}  // namespace tilereel::stage
