#include "app/replay/places/lock_step.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "app/replay/places/navigation.h"
#include "app/replay/places/stops.h"

namespace tilereel {
namespace {

// A position just before a tick still shows the step that ends there.
constexpr double kBeforeTick = 1.0 / 64;

// Phase, part, warp, store or load, the array's name, and the number among the requests with all
// these.
using StepName = std::tuple<std::uint32_t, Part, std::uint16_t, bool, std::string, std::uint32_t>;

std::vector<StepName> names_of(const Replay& replay) {
    std::vector<StepName> names;
    std::map<StepName, std::uint32_t> seen;
    const Trace& trace = replay.trace();
    for (const Step& step : replay.schedule().steps) {
        const Site& site = trace.sites[step.site];
        StepName name{
            step.phase, step.part, step.warp, writes(site.operation), trace.arrays[site.array].name,
            0};
        std::get<5>(name) = seen[name]++;
        names.push_back(std::move(name));
    }
    return names;
}

// For each left step the right step of the same name, or kNoStep.
std::vector<std::uint32_t> partners_of(const Replay& left, const Replay& right) {
    std::map<StepName, std::uint32_t> by_name;
    std::vector<StepName> names = names_of(right);
    for (std::uint32_t step = 0; step < names.size(); ++step)
        by_name[std::move(names[step])] = step;
    std::vector<std::uint32_t> partners;
    for (const StepName& name : names_of(left)) {
        const auto found = by_name.find(name);
        partners.push_back(found == by_name.end() ? kNoStep : found->second);
    }
    return partners;
}

std::size_t number_of(Side side) { return static_cast<std::size_t>(side); }

}  // namespace

LockStep::LockStep(const Replay& left, const Replay& right) {
    const std::array<const Replay*, 2> replays = {&left, &right};
    for (std::size_t side = 0; side < 2; ++side) {
        const Schedule& schedule = replays[side]->schedule();
        side_ticks_[side] = schedule.ticks;
        entry_of_[side].resize(schedule.steps.size());
        for (const Step& step : schedule.steps) {
            begin_[side].push_back(step.begin);
            end_[side].push_back(step.end());
        }
    }
    const std::vector<std::uint32_t> partners = partners_of(left, right);
    std::vector<bool> has_partner(begin_[1].size());
    for (const std::uint32_t step : partners)
        if (step != kNoStep) has_partner[step] = true;

    std::array<Tick, 2> reached{};
    const auto add = [&](std::uint32_t left_step, std::uint32_t right_step) {
        LockStepEntry entry{.step = {left_step, right_step}, .hold = reached, .begin = ticks()};
        Tick longest = 1;
        for (std::size_t side = 0; side < 2; ++side) {
            const std::uint32_t step = entry.step[side];
            if (step == kNoStep) continue;
            longest = std::max(longest, end_[side][step] - begin_[side][step]);
            entry_of_[side][step] = static_cast<std::uint32_t>(entries_.size());
            reached[side] = end_[side][step];
        }
        entry.ticks = longest;
        entries_.push_back(entry);
    };
    std::uint32_t next_right = 0;
    const auto add_right_until = [&](std::uint32_t until) {
        for (; next_right < until; ++next_right)
            if (!has_partner[next_right]) add(kNoStep, next_right);
    };
    for (std::uint32_t step = 0; step < partners.size(); ++step) {
        if (partners[step] != kNoStep) add_right_until(partners[step]);
        add(step, partners[step]);
    }
    add_right_until(static_cast<std::uint32_t>(has_partner.size()));
    note_stops(left, Side::kLeft);
    note_stops(right, Side::kRight);
}

// Adds the stops of a side, in common time.
void LockStep::note_stops(const Replay& replay, Side side) {
    if (entries_.empty()) return;
    for (const Tick tick : replay.schedule().phase_begin)
        phase_begins_.push_back(static_cast<Tick>(common_of(side, static_cast<double>(tick))));
    for (const double stop : tilereel::part_stops(replay))
        part_stops_.push_back(common_of(side, stop));
    std::ranges::sort(phase_begins_);
    phase_begins_.erase(std::ranges::unique(phase_begins_).begin(), phase_begins_.end());
    std::ranges::sort(part_stops_);
    part_stops_.erase(std::ranges::unique(part_stops_).begin(), part_stops_.end());
}

std::size_t LockStep::index_at(double position) const {
    const auto tick = static_cast<Tick>(std::max(position, 0.0));
    const auto after = std::ranges::upper_bound(entries_, tick, {}, &LockStepEntry::begin);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - entries_.begin() - 1, 0));
}

const LockStepEntry& LockStep::entry_at(double position) const {
    return entries_[index_at(position)];
}

double LockStep::position_of(Side side, double position) const {
    const std::size_t at = number_of(side);
    const auto whole = static_cast<double>(side_ticks_[at]);
    if (entries_.empty() || position >= static_cast<double>(ticks())) return whole;
    const LockStepEntry& entry = entry_at(position);
    if (!entry.has(side)) return std::max(static_cast<double>(entry.hold[at]) - kBeforeTick, 0.0);
    const std::uint32_t step = entry.step[at];
    const auto begin = static_cast<double>(begin_[at][step]);
    const double within = std::max(position - static_cast<double>(entry.begin), 0.0);
    const auto end = static_cast<double>(end_[at][step]);
    return std::min(begin + within, std::max(end - kBeforeTick, begin));
}

double LockStep::common_of(Side side, double side_position) const {
    const std::size_t at = number_of(side);
    if (side_position >= static_cast<double>(side_ticks_[at])) return static_cast<double>(ticks());
    const std::vector<Tick>& ends = end_[at];
    const auto found =
        std::ranges::upper_bound(ends, static_cast<Tick>(std::max(side_position, 0.0)));
    if (found == ends.end()) return static_cast<double>(ticks());
    const auto step = static_cast<std::size_t>(found - ends.begin());
    const LockStepEntry& entry = entries_[entry_of_[at][step]];
    const double to_end = static_cast<double>(ends[step]) - side_position;
    // The end of a step is the end of its entry, even if the other side's step is longer.
    if (to_end < 0.5) return static_cast<double>(entry.end()) - to_end;
    return static_cast<double>(entry.begin) + side_position - static_cast<double>(begin_[at][step]);
}

bool LockStep::waits(Side side, double position) const {
    if (entries_.empty() || position >= static_cast<double>(ticks())) return false;
    const LockStepEntry& entry = entry_at(position);
    if (!entry.has(side)) return true;
    const std::size_t at = number_of(side);
    const Tick own = end_[at][entry.step[at]] - begin_[at][entry.step[at]];
    return position - static_cast<double>(entry.begin) >= static_cast<double>(own);
}

std::size_t LockStep::steps_only_of(Side side) const {
    const Side other = side == Side::kLeft ? Side::kRight : Side::kLeft;
    return static_cast<std::size_t>(std::ranges::count_if(
        entries_, [&](const LockStepEntry& entry) { return !entry.has(other); }));
}

Tick LockStep::next_tick(StepUnit unit, Tick from) const {
    if (from >= ticks()) return ticks();
    if (unit == StepUnit::kWavefront) return from + 1;
    if (unit == StepUnit::kRequest) return entry_at(static_cast<double>(from)).end();
    const auto after = std::ranges::upper_bound(phase_begins_, from);
    return after == phase_begins_.end() ? ticks() : *after;
}

Tick LockStep::previous_tick(StepUnit unit, Tick from) const {
    from = std::min(from, ticks());
    if (from == 0) return 0;
    if (unit == StepUnit::kWavefront) return from - 1;
    if (unit == StepUnit::kRequest) return entry_at(static_cast<double>(from - 1)).begin;
    const auto at = std::ranges::lower_bound(phase_begins_, from);
    return at == phase_begins_.begin() ? 0 : *std::prev(at);
}

}  // namespace tilereel
