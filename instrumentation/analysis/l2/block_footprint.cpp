#include "instrumentation/analysis/l2/block_footprint.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

bool is_global_access(const Trace& trace, std::uint64_t record) {
    const Site& site = site_at(trace, record);
    return is_access(site.operation) && trace.arrays[site.array].space == Space::kGlobal;
}

bool comes_before(const TouchedRun& a, const TouchedRun& b) {
    return std::tie(a.array, a.written, a.begin, a.end) <
           std::tie(b.array, b.written, b.begin, b.end);
}

// Joins runs that overlap or follow each other.
void join(std::vector<TouchedRun>& runs) {
    std::ranges::sort(runs, comes_before);
    std::size_t kept = 0;
    for (const TouchedRun& run : runs) {
        TouchedRun* const last = kept > 0 ? &runs[kept - 1] : nullptr;
        if (last != nullptr && last->array == run.array && last->written == run.written &&
            run.begin <= last->end)
            last->end = std::max(last->end, run.end);
        else
            runs[kept++] = run;
    }
    runs.resize(kept);
}

void add_record(const Trace& trace, std::uint64_t record, std::vector<TouchedRun>& runs) {
    const Site& site = site_at(trace, record);
    const LaneOffsets lanes = lane_offsets(trace, record);
    for (const bool written : {false, true}) {
        if (!(written ? writes(site.operation) : reads(site.operation))) continue;
        const std::size_t first = runs.size();
        for (const std::uint32_t lane : lanes_in(lanes.mask)) {
            const std::uint64_t begin = lanes.bytes[lane], end = begin + site.width_bytes;
            if (runs.size() > first && runs.back().end == begin)
                runs.back().end = end;
            else
                runs.push_back({site.array, written, begin, end});
        }
    }
}

// How far b's runs lie behind a's, by array; nullopt: they are not the same otherwise.
std::optional<std::vector<std::int64_t>> shift_between(const BlockFootprint& a,
                                                       const BlockFootprint& b,
                                                       std::size_t arrays) {
    if (a.begin != b.begin || a.runs.size() != b.runs.size()) return std::nullopt;
    std::vector<std::optional<std::int64_t>> shifts(arrays);
    for (std::size_t i = 0; i < a.runs.size(); ++i) {
        const TouchedRun &of_a = a.runs[i], &of_b = b.runs[i];
        const auto shift = static_cast<std::int64_t>(of_b.begin - of_a.begin);
        if (of_a.array != of_b.array || of_a.written != of_b.written ||
            of_a.end - of_a.begin != of_b.end - of_b.begin)
            return std::nullopt;
        std::optional<std::int64_t>& known = shifts[of_a.array];
        if (known && *known != shift) return std::nullopt;
        known = shift;
    }
    std::vector<std::int64_t> all;
    for (const auto& shift : shifts) all.push_back(shift.value_or(0));
    return all;
}

}  // namespace

BlockFootprint footprint_of_steps(std::uint32_t block, std::vector<std::vector<TouchedRun>> steps) {
    BlockFootprint footprint{.block = block, .runs = {}, .begin = {0}};
    for (std::vector<TouchedRun>& step : steps) {
        join(step);
        footprint.runs.insert(footprint.runs.end(), step.begin(), step.end());
        footprint.begin.push_back(static_cast<std::uint32_t>(footprint.runs.size()));
    }
    return footprint;
}

BlockFootprint footprint_of(const Trace& trace, std::uint32_t block) {
    const SegmentRange segments = segments_of_block(trace, block);
    std::map<std::uint16_t, std::uint64_t> all, done;  // requests of each warp
    for (std::size_t segment = segments.first; segment < segments.last; ++segment)
        for (const std::uint64_t record : records_of(trace.segments, segment))
            if (is_global_access(trace, record)) ++all[trace.segments.warp[segment]];
    std::vector<std::vector<TouchedRun>> steps(kFootprintSteps);
    for (std::size_t segment = segments.first; segment < segments.last; ++segment) {
        const std::uint16_t warp = trace.segments.warp[segment];
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            if (!is_global_access(trace, record)) continue;
            add_record(trace, record, steps[done[warp]++ * kFootprintSteps / all[warp]]);
        }
    }
    return footprint_of_steps(block, std::move(steps));
}

std::vector<FootprintArray> footprint_arrays(const Trace& trace) {
    std::vector<FootprintArray> arrays;
    for (const Array& array : trace.arrays) {
        if (array.space != Space::kGlobal) {
            arrays.emplace_back();
            continue;
        }
        const auto extents = array.extents();
        const std::uint64_t last = extents.empty() ? 1 : extents.back();
        arrays.push_back({array.size_bytes(), last * array.element_bytes});
    }
    return arrays;
}

void LaunchFootprint::move(TouchedRun& run, std::int64_t bytes, std::uint64_t size) {
    const auto moved = [&](std::uint64_t place) {
        const std::int64_t to = static_cast<std::int64_t>(place) + bytes;
        return std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(to, 0)), size);
    };
    run.begin = moved(run.begin);
    run.end = moved(run.end);
}

// Whether the block accesses nothing but what for_each_run() says of it.
bool LaunchFootprint::covers(const BlockFootprint& block) const {
    std::vector<TouchedRun> expected, found = block.runs;
    for (std::uint32_t step = 0; step < kFootprintSteps; ++step)
        for_each_run(block.block, step, [&](const TouchedRun& run) { expected.push_back(run); });
    join(expected);
    join(found);
    return std::ranges::all_of(found, [&](const TouchedRun& run) {
        auto after = std::ranges::upper_bound(
            expected, TouchedRun{run.array, run.written, run.begin, ~std::uint64_t{0}},
            comes_before);
        return after != expected.begin() && (--after)->array == run.array &&
               after->written == run.written && run.end <= after->end;
    });
}

bool LaunchFootprint::is_same(ArrayId array, std::uint32_t block, std::uint32_t other) const {
    const auto runs_of = [&](std::uint32_t of) {
        std::vector<TouchedRun> runs;
        for (std::uint32_t step = 0; step < kFootprintSteps; ++step)
            for_each_run(of, step, [&](const TouchedRun& run) {
                if (run.array == array) runs.push_back(run);
            });
        join(runs);
        return runs;
    };
    return runs_of(block) == runs_of(other);
}

Result<LaunchFootprint> LaunchFootprint::of(const Dim3& grid, std::vector<BlockFootprint> recorded,
                                            std::vector<FootprintArray> arrays) {
    LaunchFootprint launch;
    launch.grid_ = grid;
    launch.arrays_ = std::move(arrays);
    std::ranges::sort(recorded, {}, &BlockFootprint::block);
    launch.recorded_ = std::move(recorded);
    if (launch.recorded_.empty()) return failed("no block is recorded whole");
    if (launch.all_recorded()) return launch;
    const BlockFootprint& first = launch.recorded_.front();
    launch.shifts_.resize(launch.arrays_.size());
    const auto find_shift = [&](std::uint32_t neighbour, std::int64_t Shift::*direction) -> Status {
        const auto found = std::ranges::find(launch.recorded_, neighbour, &BlockFootprint::block);
        if (first.block != 0 || found == launch.recorded_.end())
            return failed("not all blocks are recorded");
        const auto shifts = shift_between(first, *found, launch.arrays_.size());
        if (!shifts) return failed("its blocks are not alike");
        for (std::size_t array = 0; array < shifts->size(); ++array)
            launch.shifts_[array].*direction = (*shifts)[array];
        return Done{};
    };
    if (grid.x > 1) TRY(find_shift(1, &Shift::x));
    if (grid.y > 1) TRY(find_shift(grid.x, &Shift::y));
    if (grid.z > 1) TRY(find_shift(grid.x * grid.y, &Shift::z));
    for (const BlockFootprint& each : launch.recorded_)
        if (!launch.covers(each)) return failed("its blocks are not alike");
    return launch;
}

}  // namespace tilereel
