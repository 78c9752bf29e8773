#include "app/lesson/place.h"

#include <algorithm>

#include "app/replay/places/moment.h"
#include "app/replay/places/stops.h"

namespace tilereel {
namespace {

using What = LessonMoment::What;
using Access = LessonMoment::Access;

// Position number `number`, counted from 1; 0: the last one. nullopt if there are fewer positions.
std::optional<double> numbered(const std::vector<double>& positions, std::uint32_t number) {
    if (positions.empty() || number > positions.size()) return std::nullopt;
    return number == 0 ? positions.back() : positions[number - 1];
}

// Loads and writes access global memory, reads and stores shared memory; with `any_space`, either.
bool matches_access(const Site& site, Space space, Access access, bool any_space) {
    const bool shared = space == Space::kShared;
    switch (access) {
        case Access::kLoad:
            return reads(site.operation) && (any_space || !shared);
        case Access::kRead:
            return reads(site.operation) && (any_space || shared);
        case Access::kStore:
            return writes(site.operation) && (any_space || shared);
        case Access::kWrite:
            return writes(site.operation) && (any_space || !shared);
        case Access::kCopy:
            return is_copy(site.operation);
    }
    return false;
}

// If an array is named, "load of Bs" and "read of Bs" mean the same.
bool is_meant(const Replay& replay, const Step& step, const LessonMoment& moment) {
    if (moment.phase > 0 && step.phase + 1 != moment.phase) return false;
    const Site& site = replay.trace().sites[step.site];
    if (moment.what == What::kLine) return site.line == moment.number;
    if (site.array == kNoArray) return false;
    const Array& array = replay.trace().arrays[site.array];
    if (!moment.array.empty() && array.name != moment.array) return false;
    return matches_access(site, array.space, moment.access, !moment.array.empty());
}

double place_in(const Step& step, bool after) {
    return after ? static_cast<double>(step.end()) - kBeforeBarrier
                 : static_cast<double>(step.begin);
}

std::vector<double> request_positions(const Replay& replay, const LessonMoment& moment) {
    std::vector<double> positions;
    const Schedule& schedule = replay.schedule();
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        if (moment.what == What::kConflict) {
            if (schedule.costs[i].bank_conflicts == 0) continue;
            if (moment.phase > 0 && step.phase + 1 != moment.phase) continue;
        } else if (!is_meant(replay, step, moment)) {
            continue;
        }
        positions.push_back(place_in(step, moment.after));
        if (moment.what == What::kLine) break;
    }
    return positions;
}

std::optional<double> phase_position(const Replay& replay, const LessonMoment& moment) {
    const std::vector<PhaseSpan>& spans = replay.schedule().spans;
    const auto begins = std::ranges::find_if(spans, [&](const PhaseSpan& span) {
        return span.phase + 1 == moment.number && (!moment.part || span.part == *moment.part);
    });
    if (begins == spans.end()) return std::nullopt;
    if (!moment.at_barrier) return static_cast<double>(moment.after ? begins->end : begins->begin);
    return stop_beside(barrier_stops(replay), static_cast<double>(begins->begin), 1);
}

std::optional<double> finding_position(const Replay& replay, const std::vector<Finding>& findings,
                                       std::uint32_t number) {
    std::vector<double> positions;
    for (const Finding& each : findings)
        if (const auto tick = moment_of(replay, each))
            positions.push_back(static_cast<double>(*tick));
    return numbered(positions, number);
}

std::optional<double> find(const Replay& replay, const std::vector<Finding>& findings,
                           const LessonMoment& moment) {
    switch (moment.what) {
        case What::kStart:
            return 0;
        case What::kEnd:
            return static_cast<double>(replay.schedule().ticks);
        case What::kTick:
            if (moment.number > replay.schedule().ticks) return std::nullopt;
            return moment.number;
        case What::kPhase:
            return phase_position(replay, moment);
        case What::kBarrier:
            return numbered(barrier_stops(replay), moment.number);
        case What::kFinding:
            return finding_position(replay, findings, moment.number);
        case What::kLine:
            return numbered(request_positions(replay, moment), 1);
        case What::kConflict:
        case What::kRequest:
            return numbered(request_positions(replay, moment), moment.number);
    }
    return std::nullopt;
}

}  // namespace

Result<double> position_of(const Replay& replay, const std::vector<Finding>& findings,
                           const LessonMoment& moment) {
    if (const auto position = find(replay, findings, moment)) return *position;
    return wrong_call("this replay has no \"" + moment.words + "\"; it has " +
                      std::to_string(replay.schedule().ticks) + " ticks and " +
                      std::to_string(replay.schedule().phases) + " phases");
}

}  // namespace tilereel
