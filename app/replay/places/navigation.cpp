#include "app/replay/places/navigation.h"

#include <cmath>
#include <limits>

#include "app/replay/replay.h"

namespace tilereel {
namespace {

// The steps of one part of one phase, counted without listing them.
struct PartSteps {
    std::uint32_t count = 0;
    std::uint32_t before = 0;  // the number of them before the given step
};

PartSteps count_part(const std::vector<Step>& steps, const Step& like, std::uint32_t until) {
    PartSteps result;
    for (std::uint32_t index = 0; index < steps.size(); ++index) {
        if (steps[index].phase != like.phase || steps[index].part != like.part) continue;
        ++result.count;
        result.before += index < until;
    }
    return result;
}

// The fraction of an index is the middle of its interval, so that rounding never changes the index.
double middle(std::uint32_t index, std::uint32_t count) {
    return (index + 0.5) / std::max(count, 1u);
}
// A phase is found again by its first k: the first phase of one kernel is the first of any other.
double begin_of_phase(std::uint32_t phase, std::uint32_t phases) {
    constexpr double kJustInside = 1e-3;  // so that rounding never changes the phase
    return (phase + kJustInside) / std::max(phases, 1u);
}
std::uint32_t index_at(double fraction, std::uint32_t count) {
    if (!(fraction > 0) || count == 0) return 0;
    return std::min(static_cast<std::uint32_t>(std::min(fraction, 1.0) * count), count - 1);
}

// The steps of a part in a phase. If there are none: the steps of the nearest part in the nearest
// phase; for the store part, the steps of the nearest phase that stores.
std::vector<std::uint32_t> steps_of_part(const std::vector<Step>& steps, std::uint32_t phase,
                                         Part part) {
    using Key = std::array<std::uint64_t, 4>;
    const auto key_of = [&](const Step& step) {
        const auto parts = static_cast<std::uint64_t>(
            std::abs(static_cast<int>(step.part) - static_cast<int>(part)));
        const std::uint64_t phases = step.phase > phase ? step.phase - phase : phase - step.phase;
        const auto own_part = static_cast<std::uint64_t>(step.part);
        return part == Part::kStore ? Key{parts, phases, step.phase, own_part}
                                    : Key{phases, parts, step.phase, own_part};
    };
    Key best = key_of(steps.front());
    for (const Step& step : steps) best = std::min(best, key_of(step));
    std::vector<std::uint32_t> nearest;
    for (std::uint32_t index = 0; index < steps.size(); ++index)
        if (key_of(steps[index]) == best) nearest.push_back(index);
    return nearest;
}

}  // namespace

CellRect stored_rect(const Trace& trace, std::uint32_t block) {
    CellRect rect;
    const SegmentRange range = segments_of_block(trace, block);
    if (range.first >= range.last) return rect;
    for (std::uint64_t record = trace.segments.record_begin[range.first];
         record < trace.segments.record_begin[range.last]; ++record) {
        const Site& site = site_at(trace, record);
        if (site.operation != Operation::kStore || site.array != matrices_of(trace).c) continue;
        const CellRect part = touched(trace, site_of(trace, record), record);
        if (part.empty()) continue;
        include(rect, {part.row0, part.column0});
        include(rect, {part.row1 - 1, part.column1 - 1});
    }
    return rect;
}

namespace {

struct Point {
    double x = 0, y = 0;
};

// The block's first column and row as fractions: of C for a block that stores to it, else of the
// grid.
Point corner_of(const Trace& trace, std::uint32_t block, const CellRect& rect) {
    const Launch& launch = trace.launch;
    if (!rect.empty() && launch.m > 0 && launch.n > 0)
        return {static_cast<double>(rect.column0) / launch.n,
                static_cast<double>(rect.row0) / launch.m};
    const double across = std::max(launch.grid.x, 1u), down = std::max(launch.grid.y, 1u);
    const std::uint32_t x = block % std::max(launch.grid.x, 1u);
    const std::uint32_t y = block / std::max(launch.grid.x, 1u) % std::max(launch.grid.y, 1u);
    return {x / across, y / down};
}

constexpr double kSamePlace = 1e-9;  // fractions closer than this are the same

// A distance that is least for the block that contains `wanted`: its corner is the nearest of those
// above and to the left.
double distance(Point corner, Point wanted) {
    const auto along = [](double offset) {
        return offset >= -kSamePlace ? std::max(offset, 0.0) : 1 - offset;
    };
    return along(wanted.x - corner.x) + along(wanted.y - corner.y);
}

// Considers only blocks with records, because a grid may have very many blocks.
std::uint32_t nearest_with_records(const Trace& trace, Point wanted) {
    const std::vector<std::uint32_t>& blocks = trace.segments.block;
    std::uint32_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (i > 0 && blocks[i] == blocks[i - 1]) continue;
        const double away =
            distance(corner_of(trace, blocks[i], stored_rect(trace, blocks[i])), wanted);
        if (away + 1e-12 >= least) continue;
        least = away;
        best = blocks[i];
    }
    return best;
}

// The ticks at which stepping by phase stops.
std::vector<Tick> phase_begins(const Replay& replay) {
    return replay.rounds().empty() ? replay.schedule().phase_begin
                                   : begins_of_rows(replay.rounds());
}

}  // namespace

Tick next_tick(const Replay& replay, StepUnit unit, Tick from) {
    const Schedule& schedule = replay.schedule();
    if (from >= schedule.ticks) return schedule.ticks;
    if (unit == StepUnit::kWavefront) return from + 1;
    if (unit == StepUnit::kRequest) return schedule.steps[schedule.step_at(from)].end();
    const std::vector<Tick> begins = phase_begins(replay);
    const auto after = std::ranges::upper_bound(begins, from);
    return after == begins.end() ? schedule.ticks : *after;
}

Tick previous_tick(const Replay& replay, StepUnit unit, Tick from) {
    const Schedule& schedule = replay.schedule();
    from = std::min(from, schedule.ticks);
    if (from == 0) return 0;
    if (unit == StepUnit::kWavefront) return from - 1;
    if (unit == StepUnit::kRequest) return schedule.steps[schedule.step_at(from - 1)].begin;
    const std::vector<Tick> begins = phase_begins(replay);
    const auto at = std::ranges::lower_bound(begins, from);
    return at == begins.begin() ? 0 : *std::prev(at);
}

LogicalPlace place_at(const Replay& replay, Tick tick) {
    const Schedule& schedule = replay.schedule();
    const Point corner = corner_of(replay.trace(), replay.block(), replay.regions().c);
    LogicalPlace place{corner.x, corner.y, 0, Part::kLoad, 0, 0};
    if (schedule.steps.empty()) return place;
    if (tick >= schedule.ticks) {
        place.phase = place.within = 1.0;
        place.part = schedule.steps.back().part;
        return place;
    }
    const std::uint32_t index = schedule.step_at(tick);
    const Step& step = schedule.steps[index];
    const PartSteps part = count_part(schedule.steps, step, index);
    place.phase = begin_of_phase(step.phase, schedule.phases);
    place.part = step.part;
    place.within = middle(part.before, part.count);
    place.wavefront = static_cast<std::uint32_t>(tick - step.begin);
    return place;
}

Tick tick_of(const Replay& replay, const LogicalPlace& place) {
    const Schedule& schedule = replay.schedule();
    if (place.phase >= 1.0 || schedule.steps.empty()) return schedule.ticks;
    const std::vector<std::uint32_t> candidates =
        steps_of_part(schedule.steps, index_at(place.phase, schedule.phases), place.part);
    const auto count = static_cast<std::uint32_t>(candidates.size());
    const Step& step = schedule.steps[candidates[index_at(place.within, count)]];
    return step.begin + std::min(place.wavefront, step.ticks - 1);
}

std::uint32_t block_at(const Trace& trace, const LogicalPlace& place) {
    const Launch& launch = trace.launch;
    const Point wanted{place.block_x + kSamePlace, place.block_y + kSamePlace};
    const auto corner = [&](std::uint32_t block) {
        return corner_of(trace, block, stored_rect(trace, block));
    };
    if (!trace.chosen_blocks.empty() && trace.product) return nearest_with_records(trace, wanted);
    // Usually blocks cover C in equal steps along x and y of the grid. blockIdx.x may count columns
    // or rows of C, so the steps are measured.
    const std::uint32_t across = std::max(launch.grid.x, 1u), down = std::max(launch.grid.y, 1u);
    const Point origin = corner(0);
    const Point right = across > 1 ? corner(1) : origin;
    const bool x_counts_columns = across > 1
                                      ? std::abs(right.x - origin.x) >= std::abs(right.y - origin.y)
                                      : down == 1 || std::abs(corner(across).y - origin.y) >=
                                                         std::abs(corner(across).x - origin.x);
    // If the blocks of one long row do not cover C in equal steps, the nearest block with records
    // is taken.
    if (down == 1 && across > 2) {
        const double steps = across - 1;
        const Point last = corner(across - 1);
        const Point expected{origin.x + steps * (right.x - origin.x),
                             origin.y + steps * (right.y - origin.y)};
        if (std::abs(last.x - expected.x) > 0.6 * std::abs(right.x - origin.x) + 1e-9 ||
            std::abs(last.y - expected.y) > 0.6 * std::abs(right.y - origin.y) + 1e-9) {
            return nearest_with_records(trace, wanted);
        }
    }
    const std::uint32_t x = index_at(x_counts_columns ? wanted.x : wanted.y, across);
    const std::uint32_t y = index_at(x_counts_columns ? wanted.y : wanted.x, down);
    // Blocks at the edge may cover less of C than others, so the neighbours are compared, too.
    std::uint32_t best = y * across + x;
    for (std::uint32_t near_y = y == 0 ? 0 : y - 1; near_y < std::min(y + 2, down); ++near_y)
        for (std::uint32_t near_x = x == 0 ? 0 : x - 1; near_x < std::min(x + 2, across); ++near_x)
            if (const std::uint32_t block = near_y * across + near_x;
                distance(corner(block), wanted) + 1e-12 < distance(corner(best), wanted))
                best = block;
    return best;
}

}  // namespace tilereel
