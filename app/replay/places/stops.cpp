#include "app/replay/places/stops.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tilereel {
namespace {

constexpr double kSame = 1e-9;  // ticks: positions closer than this are the same stop

// The begin of each part of each group: of its first span. `group_of(span)`: the phase or round of
// the span.
template <class GroupOf>
std::vector<double> first_of_parts(const Replay& replay, bool with_stores,
                                   const GroupOf& group_of) {
    std::vector<double> stops;
    std::set<std::pair<std::size_t, Part>> seen;
    for (const PhaseSpan& span : replay.schedule().spans)
        if ((with_stores || span.part != Part::kStore) &&
            seen.insert({group_of(span), span.part}).second)
            stops.push_back(static_cast<double>(span.begin));
    return stops;
}

}  // namespace

std::vector<double> barrier_stops(const Replay& replay) {
    std::vector<double> stops;
    for (const Barrier& barrier : replay.schedule().barriers)
        if (const double at = static_cast<double>(barrier.at) - kBeforeBarrier;
            at > 0 && (stops.empty() || at > stops.back() + kSame))
            stops.push_back(at);
    return stops;
}

std::vector<double> part_stops(const Replay& replay) {
    const std::vector<Round>& rounds = replay.rounds();
    if (!rounds.empty())
        return first_of_parts(replay, false, [&](const PhaseSpan& span) {
            const auto after = std::ranges::upper_bound(rounds, span.begin, {}, &Round::begin);
            return static_cast<std::size_t>(after - rounds.begin());
        });
    std::vector<double> stops =
        first_of_parts(replay, true, [](const PhaseSpan& span) { return span.phase; });
    if (replay.schedule().barriers.empty()) return stops;
    // A new part begins after each barrier.
    for (std::size_t i = 0; i + 1 < replay.schedule().spans.size(); ++i)
        if (replay.schedule().spans[i].barrier_after)
            stops.push_back(static_cast<double>(replay.schedule().spans[i + 1].begin));
    const std::vector<double> barriers = barrier_stops(replay);
    stops.insert(stops.end(), barriers.begin(), barriers.end());
    std::ranges::sort(stops);
    const auto same = [](double a, double b) { return b - a < kSame; };
    stops.erase(std::unique(stops.begin(), stops.end(), same), stops.end());
    return stops;
}

std::vector<double> conflict_stops(const Replay& replay) {
    std::vector<double> stops;
    for (std::uint32_t step = 0; step < replay.schedule().steps.size(); ++step)
        if (replay.schedule().costs[step].bank_conflicts > 0)
            stops.push_back(static_cast<double>(replay.schedule().steps[step].begin));
    return stops;
}

std::vector<double> request_stops(const Replay& replay, std::uint32_t warp,
                                  std::optional<std::uint32_t> lane) {
    const Trace& trace = replay.trace();
    std::vector<double> stops;
    for (const Step& step : replay.schedule().steps) {
        if (step.warp != warp) continue;
        const std::uint32_t mask = trace.patterns[trace.records.pattern[step.record]].mask;
        if (!lane || (mask >> *lane & 1u) != 0) stops.push_back(static_cast<double>(step.begin));
    }
    return stops;
}

std::optional<double> stop_beside(const std::vector<double>& stops, double from, int direction) {
    if (direction > 0) {
        const auto next = std::ranges::upper_bound(stops, from + kSame);
        return next == stops.end() ? std::nullopt : std::optional(*next);
    }
    const auto here = std::ranges::lower_bound(stops, from - kSame);
    return here == stops.begin() ? std::nullopt : std::optional(*std::prev(here));
}

}  // namespace tilereel
