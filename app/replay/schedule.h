#pragma once
// When each request of a block runs. The rest of the replay sees time only through this.
#include "app/replay/elements.h"

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
    [[nodiscard]] std::uint32_t step_at(Tick tick) const;
};

// Measured time: no wait lasts longer on the screen, or a block would be watched standing still.
inline constexpr std::uint32_t kLongestGapTicks = 16;

// Measured time where the trace has a GPU's clocks: requests in the order in which they were
// issued, each until the block's next one (schedule_by_clocks.h).
//
// Modelled time otherwise: within an epoch warps go in the order that the launch names
// (Launch::order): in turn, one request each; or one warp after another, first to last or last to
// first. Lanes that ran one by one have records of their own, warp after warp. A request lasts as
// many ticks as it costs wavefronts or lines.
//
// An asynchronous copy is two steps: its read where it begins, its write where its warp waits for
// it, in either time. One that nobody waits for never arrives.
[[nodiscard]] Schedule schedule_block(const Trace& trace, const BlockRecords& records,
                                      const BlockPhases& phases, const Generation& generation);

// How long a block takes; nullopt: its time is measured.
[[nodiscard]] std::optional<Tick> modelled_ticks(const Trace& trace, std::uint32_t block,
                                                 const Generation& generation);

}  // namespace tilereel
