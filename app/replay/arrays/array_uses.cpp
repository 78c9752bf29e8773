#include "app/replay/arrays/array_uses.h"

#include "app/replay/arrays/contents.h"
#include "app/replay/elements.h"
#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// Calls visit(lane, cell) for each cell of each active lane of a step.
template <class Visit>
void for_each_cell(const Replay& replay, std::uint32_t step, Visit&& visit) {
    dcheck(step < replay.schedule().steps.size());
    const Trace& trace = replay.trace();
    const Step& here = replay.schedule().steps[step];
    const Site& site = trace.sites[here.site];
    const std::uint32_t size = cell_bytes(trace.arrays[site.array]);
    const LaneOffsets lanes = lane_offsets(trace, here.record);
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        const std::uint64_t last = (lanes.bytes[lane] + site.width_bytes - 1) / size;
        for (std::uint64_t cell = lanes.bytes[lane] / size; cell <= last; ++cell) visit(lane, cell);
    }
}

void add_cell(CellRect& box, const ArrayShape& shape, std::uint64_t cell) {
    if (cell >= shape.cells()) return;  // beyond the end: there is a finding
    include(box, shape.place(cell));
}

}  // namespace

ArrayUses::ArrayUses(const Replay& replay)
    : replay_(replay), steps_(replay.trace().arrays.size()), boxes_(replay.trace().arrays.size()) {
    const std::vector<Step>& steps = replay.schedule().steps;
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        const Site& site = replay.trace().sites[steps[i].site];
        if (accesses(replay.trace(), site)) steps_[site.array].push_back(i);
    }
}

std::uint32_t ArrayUses::nearest(ArrayId array, std::uint32_t step) const {
    const std::vector<std::uint32_t>& steps = steps_[array];
    if (steps.empty()) return kNoStep;
    constexpr std::ptrdiff_t kFurthest = 2048;  // accesses that are examined
    const std::vector<Step>& all = replay_.schedule().steps;
    const auto after = std::ranges::upper_bound(steps, step);
    const auto last = after - std::min(after - steps.begin(), kFurthest);
    if (step < all.size())
        for (auto at = after; at != last;)
            if (--at; all[*at].warp == all[step].warp) return *at;
    return after == steps.begin() ? steps.front() : *(after - 1);
}

const ArrayUses::Boxes& ArrayUses::boxes(ArrayId array, const ArrayShape& shape) const {
    Boxes& boxes = boxes_[array];
    if (boxes.row_length == shape.row_length()) return boxes;
    boxes = {.row_length = shape.row_length(), .block = {}, .phases = {}};
    boxes.phases.resize(std::max(replay_.schedule().phases, 1u));
    for (const std::uint32_t step : steps_[array]) {
        const std::size_t phase =
            std::min<std::size_t>(replay_.schedule().steps[step].phase, boxes.phases.size() - 1);
        for_each_cell(replay_, step, [&](std::uint32_t, std::uint64_t cell) {
            add_cell(boxes.phases[phase], shape, cell);
        });
    }
    for (const CellRect& of_phase : boxes.phases) {
        if (of_phase.empty()) continue;
        include(boxes.block, {of_phase.row0, of_phase.column0});
        include(boxes.block, {of_phase.row1 - 1, of_phase.column1 - 1});
    }
    return boxes;
}

const CellRect& ArrayUses::of_block(ArrayId array, const ArrayShape& shape) const {
    return boxes(array, shape).block;
}

const std::vector<CellRect>& ArrayUses::of_phases(ArrayId array, const ArrayShape& shape) const {
    return boxes(array, shape).phases;
}

CellRect ArrayUses::of_step(ArrayId array, const ArrayShape& shape, std::uint32_t step) const {
    CellRect box;
    if (step >= replay_.schedule().steps.size()) return box;
    if (replay_.trace().sites[replay_.schedule().steps[step].site].array != array) return box;
    for_each_cell(replay_, step,
                  [&](std::uint32_t, std::uint64_t cell) { add_cell(box, shape, cell); });
    return box;
}

CellRect ArrayUses::of_lane(ArrayId array, const ArrayShape& shape, std::uint32_t step,
                            std::uint32_t lane) const {
    CellRect first, own;
    if (step >= replay_.schedule().steps.size()) return own;
    if (replay_.trace().sites[replay_.schedule().steps[step].site].array != array) return own;
    for_each_cell(replay_, step, [&](std::uint32_t its, std::uint64_t cell) {
        if (its == lane) add_cell(own, shape, cell);
        if (first.empty()) add_cell(first, shape, cell);
    });
    return own.empty() ? first : own;
}

std::uint32_t window_begin(const std::vector<PictureSpan>& spans, std::uint32_t shown,
                           std::uint32_t count) {
    if (shown >= count || spans.empty()) return 0;
    const std::uint32_t last = count - shown;
    const std::uint32_t half = std::max(shown / 2, 1u);
    for (const PictureSpan& span : spans) {
        if (span.end <= span.begin || span.end - span.begin > shown) continue;
        const std::uint32_t begin = std::min(span.begin / half * half, last);
        if (span.end <= begin + shown) return begin;
        return std::min(span.begin, last);
    }
    return std::min(spans.back().begin, last);
}

}  // namespace tilereel
