#pragma once
// When each request of a block runs. The rest of the replay sees time only through this.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "app/replay/elements.h"
#include "app/replay/step.h"
#include "instrumentation/analysis/request_cost.h"

namespace tilereel {

// What the block did between two barriers.
struct EpochSpan {
    Tick begin = 0;
    std::uint32_t first_step = 0, last_step = 0;  // [first, last)
    SegmentRange segments;                        // one a warp that took part
};

struct Schedule {
    Tick ticks = 0;
    std::vector<Step> steps;  // in time order, end to end
    std::vector<RequestCost> costs;
    // Per step: the records [deferred_begin, deferred_end) take effect when the step ends.
    std::vector<std::uint64_t> deferred_begin, deferred_end;
    // Per step: the record at which it runs. Its own, but for a copy that arrives: the wait.
    std::vector<std::uint64_t> runs_at;
    std::vector<std::uint32_t> segment;  // per step, from the block's first segment
    // Per segment: the records before its first request, which take effect when the epoch begins.
    std::vector<std::uint64_t> lead_end;
    std::vector<EpochSpan> epochs;
    std::vector<Barrier> barriers;
    std::vector<PhaseSpan> spans;
    std::vector<Tick> phase_begin;    // distinct ticks at which a phase's first step begins, sorted
    std::vector<Tick> ticks_of_line;  // index = line
    std::uint32_t phases = 1;
    std::uint64_t cycles_per_tick = 0;  // measured time; 0: modelled
    // Per phase: completed steps after which it and all before it have all multiply-adds in.
    std::vector<std::uint32_t> steps_until_phase_done;

    // The step that runs at a tick; steps.size() at the end.
    [[nodiscard]] std::uint32_t step_at(Tick tick) const {
        return static_cast<std::uint32_t>(std::ranges::upper_bound(steps, tick, {}, &Step::end) -
                                          steps.begin());
    }
};

}  // namespace tilereel
