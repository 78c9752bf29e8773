#pragma once
// The ticks of each request of a block. All other parts of the replay take times from here.
//
// A recording on the CPU has an order of requests for each warp, and no time. A viewer has to see
// what a request costs, so time is modelled: the memory pipe serves one request at a time, for as
// many ticks as the request has wavefronts (shared memory) or lines (global memory). Within an
// epoch the warps usually take turns (Launch::order).
//
//   tick     0         1         2           3           4           5
//   warp 0   | load A  |         | store As  |                       | barrier, next epoch
//   warp 1             | load A  |           | store As: 2 wavefronts|
//
// The model says what is counted, and not how long it takes: latency is not in it. A trace of a GPU
// has clocks, and its schedule uses them (schedule_by_clocks.h).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "app/replay/elements.h"
#include "app/replay/schedule/step.h"
#include "instrumentation/analysis/cost/request_cost.h"

namespace tilereel {

// An epoch of the block: the time between two block barriers.
struct EpochSpan {
    Tick begin = 0;
    std::uint32_t first_step = 0, last_step = 0;  // [first, last)
    SegmentRange segments;                        // one for each warp with records
};

struct Schedule {
    Tick ticks = 0;
    std::vector<Step> steps;  // in time order, end to end
    std::vector<RequestCost> costs;
    // By step: the records [deferred_begin, deferred_end) take effect at the end of the step.
    std::vector<std::uint64_t> deferred_begin, deferred_end;
    // By step: the record at which it runs. This is its own record; for the write of an
    // asynchronous copy it is the wait.
    std::vector<std::uint64_t> runs_at;
    std::vector<std::uint32_t> segment;  // by step: index from the block's first segment
    // By segment: end of the records before its first request. They take effect when the epoch
    // begins.
    std::vector<std::uint64_t> lead_end;
    std::vector<EpochSpan> epochs;
    std::vector<Barrier> barriers;
    std::vector<PhaseSpan> spans;
    std::vector<Tick> phase_begin;    // ticks at which the first step of a phase begins, ascending
    std::vector<Tick> ticks_of_line;  // by line
    std::uint32_t phases = 1;
    std::uint64_t cycles_per_tick = 0;  // of measured time; 0: modelled time
    // By phase: number of steps after which all multiply-adds of this and earlier phases are done.
    std::vector<std::uint32_t> steps_until_phase_done;

    // The step that runs at a tick; steps.size() at the end.
    [[nodiscard]] std::uint32_t step_at(Tick tick) const {
        return static_cast<std::uint32_t>(std::ranges::upper_bound(steps, tick, {}, &Step::end) -
                                          steps.begin());
    }
};

}  // namespace tilereel
