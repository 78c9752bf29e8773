#include "app/replay/schedule/schedule_phases.h"

#include <algorithm>

namespace tilereel {

std::vector<PhaseSpan> find_spans(const Schedule& schedule) {
    std::vector<PhaseSpan> spans;
    std::size_t epoch = 0;
    for (std::uint32_t index = 0; index < schedule.steps.size(); ++index) {
        const Step& step = schedule.steps[index];
        bool new_epoch = false;
        while (epoch < schedule.epochs.size() && index >= schedule.epochs[epoch].last_step) {
            ++epoch;
            new_epoch = true;
        }
        const bool goes_on = !spans.empty() && !new_epoch && spans.back().phase == step.phase &&
                             spans.back().part == step.part;
        if (goes_on)
            spans.back().end = step.end();
        else
            spans.push_back({step.phase, step.part, step.begin, step.end(), false});
    }
    std::size_t barrier = 0;
    for (PhaseSpan& span : spans) {
        while (barrier < schedule.barriers.size() && schedule.barriers[barrier].at < span.end)
            ++barrier;
        span.barrier_after =
            barrier < schedule.barriers.size() && schedule.barriers[barrier].at == span.end;
    }
    return spans;
}

std::vector<Tick> find_phase_begins(const Schedule& schedule) {
    std::vector<Tick> begins;
    std::vector<bool> seen(schedule.phases, false);
    for (const Step& step : schedule.steps) {
        if (seen[step.phase]) continue;
        seen[step.phase] = true;
        begins.push_back(step.begin);  // steps are in time order, so this stays sorted
    }
    return begins;
}

std::vector<std::uint32_t> find_phase_ends(const Trace& trace, const BlockRecords& records,
                                           const BlockPhases& phases, const Schedule& schedule) {
    std::vector<std::uint32_t> multiplied(schedule.phases, 0), ended(schedule.phases, 0);
    std::vector<bool> multiplies(schedule.phases, false);
    const auto note = [&](std::uint64_t record, std::uint32_t steps_done) {
        if (site_at(trace, record).operation != Operation::kMultiplyAdd) return;
        const std::uint32_t phase = phases.phase[record - records.first];
        multiplies[phase] = true;
        multiplied[phase] = std::max(multiplied[phase], steps_done);
    };
    for (const EpochSpan& epoch : schedule.epochs)
        for (std::size_t segment = epoch.segments.first; segment < epoch.segments.last; ++segment)
            for (std::uint64_t record = trace.segments.record_begin[segment];
                 record < schedule.lead_end[segment - records.segments.first]; ++record)
                note(record, epoch.first_step);
    for (std::uint32_t index = 0; index < schedule.steps.size(); ++index) {
        const Step& step = schedule.steps[index];
        ended[step.phase] = index + 1;
        for (std::uint64_t record = schedule.deferred_begin[index];
             record < schedule.deferred_end[index]; ++record)
            note(record, index + 1);
    }
    std::uint32_t latest = 0;
    for (std::uint32_t phase = 0; phase < schedule.phases; ++phase) {
        latest = std::max(latest, multiplies[phase] ? multiplied[phase] : ended[phase]);
        multiplied[phase] = latest;
    }
    return multiplied;
}

}  // namespace tilereel
