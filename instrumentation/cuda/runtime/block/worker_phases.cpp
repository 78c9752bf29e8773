// The part of Worker in which lanes wait for phases of barriers in shared memory. Warps then run in
// interleaved time slices within an epoch, so the events of each are kept until the epoch is over.
#include <algorithm>
#include <bit>

#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/cluster/running_cluster.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/warp/event_buffer.h"

namespace tilereel::runtime {

BlockSink& Worker::sink_of(std::uint32_t warp) { return logs_.empty() ? *job_.sink : *logs_[warp]; }

void Worker::write_epoch() {
    if (recorded_)
        for (const std::unique_ptr<EventBuffer>& log : logs_) log->replay(*job_.sink);
}

// The number of rows that a time slice may have: within the block's budget, and within memory.
std::uint64_t Worker::most_rows(const Warp& warp) const {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
    if (job_.most_cost == ~std::uint64_t{0}) return job_.most_cost;
    const std::uint64_t spent = cost_ - cost_before_block_;
    const std::uint64_t left = job_.most_cost > spent ? job_.most_cost - spent : 0;
    const auto lanes = static_cast<std::uint64_t>(std::popcount(warp.ready));
    return std::clamp<std::uint64_t>(left / std::max(lanes, kRecordCost), 16, kMost);
}

void Worker::begin_slice(Warp& warp) {
    if (warp.slice_is_suspended)
        std::swap(rows_, *warp.suspended_slice);
    else
        rows_.begin_slice(lockstep_, job_.sink->keeps_assignments(), most_rows(warp), warp.before);
    warp.slice_is_suspended = false;
}

void Worker::suspend_slice(Warp& warp) {
    if (!warp.suspended_slice) warp.suspended_slice = std::make_unique<WarpRows>();
    std::swap(rows_, *warp.suspended_slice);
    warp.slice_is_suspended = true;
}

// Called when lanes wait for a phase. If all lanes of the warp are at the same wait or done, the
// time slice ends. Else it is suspended until the other lanes come to the wait, too, so that their
// events are joined with those of the lanes that wait already.
bool Worker::stop_slice(std::uint32_t number) {
    const std::uint32_t waiting = barriers_.waiting(number), first = number * kLanes;
    bool all = barriers_.wait_together(number);
    for (std::uint32_t lane = 0; lane < kLanes && first + lane < threads_; ++lane)
        all = all && ((waiting >> lane & 1) != 0 || by_thread_[first + lane].wait == Wait::kDone);
    if (all) return write_slice(number);
    suspend_slice(warps_[number]);
    return true;
}

// Called when no warp can continue. Returns false if the block must run again: see run_once().
bool Worker::resume_from_phases() {
    const auto warps = static_cast<std::uint32_t>(warps_.size());
    std::uint32_t first = warps;  // the first warp that waits
    do {
        if (time_is_up()) end_launch(cudaErrorLaunchTimeout);
        first = warps;
        bool any = false;
        const auto note_any = [&] {
            any = true;
            if (in_cluster.cluster != nullptr) in_cluster.cluster->note_progress();
        };
        const auto each = [&](auto&& lanes_of) {
            for (std::uint32_t warp = 0; warp < warps; ++warp) {
                if (barriers_.waiting(warp) == 0) continue;
                if (first == warps) first = warp;
                const std::uint32_t lanes = lanes_of(warp);
                if (lanes == 0) continue;
                note_any();
                if (!resume_warp(warp, lanes)) return false;
            }
            return true;
        };
        const auto take_ready = [&](std::uint32_t warp) { return barriers_.take_ready(warp); };
        if (!each(take_ready)) return false;
        if (any || first == warps) continue;
        for (std::uint32_t warp = 0; warp < warps; ++warp) {
            if (!complete_without_waiting_lanes(warp)) return false;
            if (warps_[warp].ready == 0) continue;
            note_any();
            if (!run_warp(warp)) return false;
        }
        if (any) continue;
        const bool others =
            in_cluster.cluster != nullptr && in_cluster.cluster->run_others(in_cluster.rank);
        if (others && !each(take_ready)) return false;
        if (any) continue;
        if (!each([&](std::uint32_t warp) { return barriers_.take_polling(warp); })) return false;
        if (!any && !others) {
            const auto lane =
                static_cast<std::uint32_t>(std::countr_zero(barriers_.waiting(first)));
            thread_ = first * kLanes + lane;
            report_deadlock(barriers_, thread_);
        }
    } while (first != warps);
    return true;
}

bool Worker::resume_warp(std::uint32_t number, std::uint32_t lanes) {
    warps_[number].ready |= lanes;
    return run_warp(number);
}

// Called when no thread of the block can continue. If lanes of the warp wait for a phase, its other
// lanes complete a collective whose mask contains none of the waiting lanes. Ends the time slice.
bool Worker::complete_without_waiting_lanes(std::uint32_t number) {
    const std::uint32_t waiting = barriers_.waiting(number);
    if (waiting == 0) return true;
    Warp& warp = warps_[number];
    if (recorded_ && warp.slice_is_suspended) {
        begin_slice(warp);
        if (!write_slice(number)) return false;
    }
    complete_collectives(number, waiting);
    return true;
}

}  // namespace tilereel::runtime
