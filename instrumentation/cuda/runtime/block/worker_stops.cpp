// Where the warps of a block are when its recording ends before the block does.
#include <algorithm>
#include <bit>

#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {

// Of each warp the first fault counts: on a GPU the launch ends there.
void Worker::note_fatal_fault(std::uint32_t line) {
    const auto warp = static_cast<std::uint16_t>(thread_ / kLanes);
    if (std::ranges::find(faulted_warps_, warp, &WarpStop::warp) == faulted_warps_.end())
        faulted_warps_.push_back({block_, warp, WarpStopKind::kFaulted, line});
}

std::vector<WarpStop> Worker::stops(WarpStopKind of_runner, std::uint32_t line) const {
    std::vector<WarpStop> all;
    for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
        WarpStop stop = stop_of(warp);
        if (in_thread_ && warp == thread_ / kLanes) stop.kind = of_runner, stop.line = line;
        const auto fault = std::ranges::find(faulted_warps_, stop.warp, &WarpStop::warp);
        all.push_back(fault == faulted_warps_.end() ? stop : *fault);
    }
    return all;
}

void Worker::keep_open_slice() {
    if (!recorded_ || !lockstep_ || !in_thread_ || !was_late_in_hook()) return;
    const std::uint32_t warp = thread_ / kLanes;
    static_cast<void>(write_slice(warp));  // never fails in lock-step
    sink_of(warp).end_segment();
    write_epoch();
}

std::vector<WarpStop> Worker::stops_at_cut() const {
    std::vector<WarpStop> all;
    for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
        WarpStop stop = stop_of(warp);
        if (stop.kind != WarpStopKind::kReturned)
            stop.kind = WarpStopKind::kRecordedUpTo, stop.line = 0;
        all.push_back(stop);
    }
    return all;
}

// Where a warp is that does not run.
WarpStop Worker::stop_of(std::uint32_t number) const {
    const Warp& warp = warps_[number];
    WarpStop stop{.block = block_, .warp = static_cast<std::uint16_t>(number)};
    const Thread* first = nullptr;  // that has not returned
    bool has_begun = false;
    for (std::uint32_t lane = 0; lane < kLanes && number * kLanes + lane < threads_; ++lane) {
        const Thread& thread = by_thread_[number * kLanes + lane];
        has_begun |= thread.wait != Wait::kNothing;
        if (thread.wait == Wait::kDone) continue;
        const bool at_barrier = (warp.at_block >> lane & 1) != 0;
        if (first == nullptr || at_barrier) first = &thread;
        if (at_barrier) break;
    }
    if (first == nullptr) return stop;
    const Site* const site = first->site;
    stop.line = site == nullptr ? 0 : static_cast<std::uint32_t>(site->line);
    const bool may_run = (warp.ready >> ((first - &by_thread_[0]) % kLanes) & 1) != 0;
    if (!has_begun)
        stop.kind = WarpStopKind::kNotBegun, stop.line = 0;
    else if (warp.at_block != 0)
        stop.kind = WarpStopKind::kAtBarrier;
    else if (first->wait == Wait::kPhase && !may_run)
        stop.kind = WarpStopKind::kAtPhase;
    else if (first->wait == Wait::kWarp && !may_run)
        stop.kind = WarpStopKind::kAtLanes;
    else if (site != nullptr && first->wait != Wait::kNothing)
        stop.kind = site->loop != nullptr ? WarpStopKind::kInLoop : WarpStopKind::kOnLine;
    else
        stop.kind = WarpStopKind::kRecordedUpTo, stop.line = 0;
    return stop;
}

}  // namespace tilereel::runtime
