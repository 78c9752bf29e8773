// The part of Worker that runs a block in an exact order (left_out_barrier.h), for a kernel without
// one of its barriers: every lane stops before each access, and the order says which warp runs
// next. Warps interleave, so the events of each are kept until the epoch is over.
#include <algorithm>
#include <bit>

#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/warp/event_buffer.h"
#include "instrumentation/cuda/runtime/warp/is_left_out.h"

namespace tilereel::runtime {

// The lanes that make the warp's next access together: of the lanes that stopped before an access,
// those that are furthest behind.
std::uint32_t Worker::lanes_at_next_access(std::uint32_t number) const {
    const std::uint32_t base = number * kLanes;
    const std::uint32_t count = std::min(kLanes, threads_ - base);
    const ProgramPosition* first = nullptr;
    for (std::uint32_t i = base; i < base + count; ++i)
        if (by_thread_[i].wait == Wait::kAccess && (first == nullptr || positions_[i] < *first))
            first = &positions_[i];
    std::uint32_t together = 0;
    for (std::uint32_t i = 0; first != nullptr && i < count; ++i)
        if (by_thread_[base + i].wait == Wait::kAccess && positions_[base + i] == *first)
            together |= 1u << i;
    return together;
}

// The lanes make the access before which they stopped, and run to their next stop.
void Worker::resume_lanes(std::uint32_t number, std::uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
        warps_[number].ready |= 1u << lane;
        resume(number * kLanes + lane);
    }
}

void Worker::run_in_order() {
    for (;; ++epoch_) {
        bool any = false;
        for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
            if (warps_[warp].ready == 0) continue;
            any = true;
            if (recorded_) sink_of(warp).begin_segment(epoch_, warp);
            warps_[warp].began_epoch = true;
            run_to_access(warp);
        }
        if (!any) return;
        do {
            run_epoch_in_order();
        } while (resume_where_all_wait());
        for (std::uint32_t warp = 0; warp < warps_.size(); ++warp)
            if (warps_[warp].began_epoch) end_warp(warp);
        write_epoch();
        release_block();
    }
}

void Worker::run_epoch_in_order() {
    const auto warps = static_cast<std::uint32_t>(warps_.size());
    switch (thread_order()) {
        case ThreadOrder::kRoundRobin:
            for (bool any = true; any;) {
                any = false;
                for (std::uint32_t warp = 0; warp < warps; ++warp)
                    any = do_next_access(warp) || any;
            }
            return;
        case ThreadOrder::kWarpsForward:
            for (std::uint32_t warp = 0; warp < warps; ++warp)
                while (do_next_access(warp)) {
                }
            return;
        case ThreadOrder::kWarpsBackward:
            for (std::uint32_t warp = warps; warp > 0; --warp)
                while (do_next_access(warp - 1)) {
                }
            return;
        case ThreadOrder::kLanes:
            for (std::uint32_t warp = 0; warp < warps; ++warp)
                while (run_lanes_one_by_one(warp)) {
                }
            return;
    }
}

// The lanes of the warp that are ready run to their next access.
void Worker::run_to_access(std::uint32_t number) {
    if (recorded_) begin_slice(warps_[number]);
    run_slice(number);
    end_slice_if_stopped(number);
}

// Called when some lanes of the warp have run. If no lane can continue by itself, ends the time
// slice and runs the lanes whose collective is complete, until a lane can.
void Worker::end_slice_if_stopped(std::uint32_t number) {
    Warp& warp = warps_[number];
    for (;;) {
        bool can_continue = barriers_.waiting(number) != 0;
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            can_continue = can_continue || can_continue_alone(number, lane);
        if (can_continue) {
            if (recorded_) suspend_slice(warp);
            return;
        }
        if (recorded_) write_slice(number);
        complete_collectives(number, 0);
        if (warp.ready == 0) return;
        if (recorded_) begin_slice(warp);
        run_slice(number);
    }
}

// Runs one request of the warp, and its events up to the next request. Returns false if the warp
// cannot continue.
bool Worker::do_next_access(std::uint32_t number) {
    if (time_is_up()) end_launch(cudaErrorLaunchTimeout);
    if (barriers_.waiting(number) != 0) {  // the warp's other lanes wait for these
        warps_[number].ready |= barriers_.take_ready(number);
        if (warps_[number].ready == 0) return false;
        run_to_access(number);
        return true;
    }
    const std::uint32_t lanes = lanes_at_next_access(number);
    if (lanes == 0) return false;
    do_access(number, lanes);
    return true;
}

void Worker::do_access(std::uint32_t number, std::uint32_t lanes) {
    if (recorded_) begin_slice(warps_[number]);
    resume_lanes(number, lanes);
    end_slice_if_stopped(number);
}

// Whether the lane can continue without waiting for another lane.
bool Worker::can_continue_alone(std::uint32_t number, std::uint32_t lane) const {
    const std::uint32_t thread = number * kLanes + lane;
    return thread < threads_ && (by_thread_[thread].wait == Wait::kAccess ||
                                 (thread_order() == ThreadOrder::kLanes &&
                                  warps_[number].collectives.waits_for_nobody(lane)));
}

// Runs one lane to its next stop that is not an access.
void Worker::run_lane(std::uint32_t number, std::uint32_t lane) {
    Warp& warp = warps_[number];
    if (recorded_) begin_slice(warp);
    if (warp.collectives.waits_for_nobody(lane)) {
        if (recorded_) write_slice(number);
        warp.collectives.complete_alone(
            lane, [&](const Site* site, std::uint32_t together, CollectiveKind kind,
                      const std::uint32_t* operand) {
                if (recorded_ && kind != CollectiveKind::kTogether)
                    sink_of(number).add_call(site, together, kind, operand);
            });
        if (recorded_) begin_slice(warp);
    }
    do {
        resume_lanes(number, 1u << lane);
    } while (by_thread_[number * kLanes + lane].wait == Wait::kAccess);
    if (recorded_) write_slice(number);
}

// Runs each lane of the warp as far as it can, lane 0 first, so that each request has one lane.
// Returns false if no lane can continue.
bool Worker::run_lanes_one_by_one(std::uint32_t number) {
    if (time_is_up()) end_launch(cudaErrorLaunchTimeout);
    const std::uint32_t ready = barriers_.take_ready(number);
    bool any = false;
    for (std::uint32_t lane = 0; lane < kLanes && number * kLanes + lane < threads_; ++lane) {
        if ((ready >> lane & 1) == 0 && !can_continue_alone(number, lane)) continue;
        any = true;
        do {
            run_lane(number, lane);
        } while (can_continue_alone(number, lane));
    }
    if (!any) return false;
    if (recorded_) begin_slice(warps_[number]);
    end_slice_if_stopped(number);
    return true;
}

// Called when no warp can continue by itself. If some lanes wait for a phase, lanes of their warps
// run: first other lanes that are about to access memory; if there are none, other lanes whose
// collective needs none of the waiting lanes; else the waiting lanes that only poll the phase.
// Returns false if no lane waits for a phase.
bool Worker::resume_where_all_wait() {
    const auto warps = static_cast<std::uint32_t>(warps_.size());
    std::uint32_t first = warps;  // the first warp that waits
    bool any = false;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
        if (barriers_.waiting(warp) == 0) continue;
        if (first == warps) first = warp;
        const std::uint32_t lanes = lanes_at_next_access(warp);
        if (lanes == 0) continue;
        do_access(warp, lanes);
        any = true;
    }
    if (first == warps) return false;
    if (any) return true;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
        complete_without_waiting_lanes(warp);
        if (warps_[warp].ready == 0) continue;
        run_to_access(warp);
        any = true;
    }
    if (any) return true;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
        warps_[warp].ready |= barriers_.take_polling(warp);
        if (warps_[warp].ready == 0) continue;
        run_to_access(warp);
        any = true;
    }
    if (any) return true;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(barriers_.waiting(first)));
    thread_ = first * kLanes + lane;
    report_deadlock(barriers_, thread_);
}

}  // namespace tilereel::runtime
