#include "instrumentation/analysis/phases/phase_tiles.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "instrumentation/trace/fragments/instruction_parts.h"
#include "instrumentation/trace/fragments/warp_product.h"
#include "instrumentation/trace/fragments/warpgroup_product.h"

namespace tilereel {
namespace {

MatrixShape shape_of(std::uint32_t code) {
    if (const auto product = WarpgroupProduct::of_code(code)) return product->shape;
    if (const auto product = WarpProduct::of_code(code)) return product->shape;
    return {};
}

std::optional<ElementRange> tile_of_c(const MatrixProduct& matrices, const PhaseTile& tile) {
    if (tile.a.size() != 1 || tile.b.size() != 1) return std::nullopt;
    const ElementRange &a = tile.a[0], &b = tile.b[0];
    if (a.first.column != b.first.row || a.extent.columns != b.extent.rows) return std::nullopt;
    return ElementRange{{matrices.c, a.first.row, b.first.column},
                        {a.extent.rows, b.extent.columns}};
}

std::optional<ArrayId> target_of(const PhaseLoad& load) {
    return load.to ? std::optional(load.to->array) : std::nullopt;
}

bool lies_in(const ElementRange& range, const ElementName& at) {
    return at.row - range.first.row < range.extent.rows &&
           at.column - range.first.column < range.extent.columns;
}

std::vector<ElementRange> ranges_of(const Trace& trace, std::span<const PhaseLoad> words,
                                    std::optional<ElementName> PhaseLoad::*side) {
    std::vector<ElementName> elements;
    for (const PhaseLoad& word : words)
        if (word.*side)
            std::ranges::copy(elements_of_word(trace, *(word.*side)), std::back_inserter(elements));
    return rectangles_of(std::move(elements));
}

// The words of each range.
std::vector<std::vector<PhaseLoad>> divided(const std::vector<PhaseLoad>& words,
                                            std::span<const ElementRange> ranges,
                                            std::optional<ElementName> PhaseLoad::*side) {
    std::vector<std::vector<PhaseLoad>> parts(ranges.size());
    for (const PhaseLoad& word : words)
        for (std::size_t i = 0; i < ranges.size(); ++i)
            if (lies_in(ranges[i], *(word.*side))) {
                parts[i].push_back(word);
                break;
            }
    return parts;
}

// Joins words of one array that go to one other to loads that are a rectangle on both sides.
void join(const Trace& trace, const std::vector<PhaseLoad>& words, std::vector<PhaseLoad>& made) {
    if (words.empty()) return;
    for (const auto side : {&PhaseLoad::from, &PhaseLoad::to}) {
        const std::vector<ElementRange> ranges = ranges_of(trace, words, side);
        if (ranges.size() < 2) continue;
        for (const std::vector<PhaseLoad>& part : divided(words, ranges, side))
            join(trace, part, made);
        return;
    }
    PhaseLoad whole = words.front();
    const ElementRange source = ranges_of(trace, words, &PhaseLoad::from)[0];
    whole.from = source.first;
    whole.from_extent = source.extent;
    if (whole.to) {
        const ElementRange target = ranges_of(trace, words, &PhaseLoad::to)[0];
        whole.to = target.first;
        whole.to_extent = target.extent;
    }
    made.push_back(whole);
}

// Loads that follow one another and go from one array to one other are joined.
std::vector<PhaseLoad> joined(const Trace& trace, const std::vector<PhaseLoad>& loads) {
    std::vector<PhaseLoad> made;
    for (std::size_t first = 0, last = 0; first < loads.size(); first = last) {
        const PhaseLoad& begin = loads[first];
        last = first + 1;
        if (!begin.from) {
            made.push_back(begin);
            continue;
        }
        while (last < loads.size() && loads[last].from &&
               loads[last].from->array == begin.from->array &&
               target_of(loads[last]) == target_of(begin) &&
               loads[last].by_other_block == begin.by_other_block)
            ++last;
        join(trace,
             {loads.begin() + static_cast<std::ptrdiff_t>(first),
              loads.begin() + static_cast<std::ptrdiff_t>(last)},
             made);
    }
    return made;
}

}  // namespace

std::vector<ElementName> elements_of_word(const Trace& trace, const ElementName& first) {
    constexpr std::uint32_t kBytesOfWord = 4;
    const Array& array = trace.arrays[first.array];
    std::vector<ElementName> elements;
    for (std::uint32_t i = 0; i < std::max(1u, kBytesOfWord / std::max(1u, array.element_bytes));
         ++i)
        elements.push_back({first.array, first.row + (array.by_columns ? i : 0),
                            first.column + (array.by_columns ? 0 : i)});
    return elements;
}

void PhaseTiles::read(const Trace& trace, std::uint32_t warp, std::uint32_t phase,
                      const ElementName& first) {
    if (first.array != matrices_.a && first.array != matrices_.b) return;
    Work& work = work_[{warp, phase}];
    for (const ElementName& element : elements_of_word(trace, first))
        (first.array == matrices_.a ? work.a : work.b).push_back(element);
}

void PhaseTiles::product(std::uint32_t warp, std::uint32_t phase, std::uint32_t code) {
    ++work_[{warp, phase}].products[code];
}

void PhaseTiles::put(const Trace& trace, PhaseTable& table) const {
    if (work_.empty()) return;
    for (const auto& [at, work] : work_) {
        if (work.products.empty()) continue;
        PhaseTile tile;
        std::int64_t multiplied = 0;
        for (const auto& [code, count] : work.products) {
            const MatrixShape shape = shape_of(code);
            tile.of_warpgroup |= WarpgroupProduct::of_code(code).has_value();
            tile.products += count;
            tile.shape += (tile.shape.empty() ? "" : ", ") + shape_text(shape);
            multiplied += static_cast<std::int64_t>(count) * shape.m * shape.n * shape.k;
        }
        tile.a = rectangles_of(work.a);
        tile.b = rectangles_of(work.b);
        tile.c = tile_of_c(matrices_, tile);
        if (tile.c && multiplied != std::int64_t{tile.c->extent.rows} * tile.c->extent.columns *
                                        tile.a[0].extent.columns)
            tile.products = 0;
        const auto [warp, phase] = at;
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
            if (const std::size_t thread = std::size_t{warp} * kWarpSize + lane;
                thread < table.threads.size())
                table.threads[thread].phases[phase].tile = tile;
    }
    for (PhaseThread& thread : table.threads)
        for (PhaseCell& cell : thread.phases) cell.loads = joined(trace, cell.loads);
}

}  // namespace tilereel
