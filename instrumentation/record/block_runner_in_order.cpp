// The part of BlockRunner that runs a block in an exact order: every thread waits before each
// access, and the flow of the CPU thread itself says who goes on. Much slower than running each
// thread from barrier to barrier, so only kernels that have lost a barrier run so.
#include <algorithm>
#include <bit>

#include "instrumentation/record/block_runner.h"

namespace tilereel {

using dialect::running;

Status BlockRunner::run_in_order(std::uint32_t block) {
    begin_block(block);
    running.key = running.keys = &kNothingExpected;  // so that unexpected() hears of every event
    while (begin_epoch_in_order()) {
        take_turns();
        if (error_) return *error_;
        write_epoch();
        charge();
        if (error_) return *error_;
        for (WarpLanes& warp : warps_) {
            warp.ready = warp.at_block_barrier;
            warp.at_block_barrier = 0;
        }
        ++epoch_;
    }
    batch_->accumulators = std::max(batch_->accumulators, running.most_accumulators);
    if (error_) return *error_;
    return Done{};
}

// Every thread that is left runs to its first access, which touches no memory. False: none is left.
bool BlockRunner::begin_epoch_in_order() {
    bool any = false;
    for (std::uint32_t warp = 0; warp < warps_.size() && !error_; ++warp) {
        ordered_[warp].begin_epoch();
        any = any || warps_[warp].ready != 0;
        run_to_next_wait(warp, warps_[warp].ready);
    }
    return any && !error_;
}

void BlockRunner::run_epoch_in_order() {
    const auto warps = static_cast<std::uint32_t>(warps_.size());
    switch (job_.launch->order) {
        case ThreadOrder::kTurns:
            run_warps_in_turn();
            return;
        case ThreadOrder::kWarpsForward:
            for (std::uint32_t warp = 0; warp < warps && !error_; ++warp) run_warp(warp);
            return;
        case ThreadOrder::kWarpsBackward:
            for (std::uint32_t warp = warps; warp > 0 && !error_; --warp) run_warp(warp - 1);
            return;
        case ThreadOrder::kLanes:
            for (std::uint32_t warp = 0; warp < warps && !error_; ++warp)
                run_lanes_one_by_one(warp);
            return;
    }
}

void BlockRunner::run_warps_in_turn() {
    const auto warps = static_cast<std::uint32_t>(warps_.size());
    for (std::uint32_t warp = 0; warp < warps; ++warp) go_on_to_access(warp);
    for (bool any = true; any && !error_;) {
        any = false;
        for (std::uint32_t warp = 0; warp < warps && !error_; ++warp)
            any = do_next_access(warp) || any;
    }
}

void BlockRunner::run_warp(std::uint32_t warp) {
    go_on_to_access(warp);
    while (!error_ && do_next_access(warp)) {
    }
}

// One request of the warp, and what it does before its next one. False: it has none in this epoch.
bool BlockRunner::do_next_access(std::uint32_t warp) {
    if (stopped()) return false;
    if (warps_[warp].at_phase != 0 && go_on_from_phases(warp)) {
        go_on_to_access(warp);
        return true;
    }
    // Lanes stay together: while one waits for a phase, the others wait for it.
    if (warps_[warp].at_phase != 0 && !lanes_may_part_) return false;
    const std::uint32_t lanes = ordered_[warp].take_access();
    if (lanes == 0) return false;
    run_to_next_wait(warp, lanes);
    go_on_to_access(warp);
    return true;
}

// Multiply-adds and the warp's own barriers, until an access comes next.
void BlockRunner::go_on_to_access(std::uint32_t warp) {
    do {
        ordered_[warp].do_multiply_adds();
    } while (!error_ && open_warp_barrier(warp));
}

void BlockRunner::run_lanes_one_by_one(std::uint32_t warp) {
    do {
        static_cast<void>(go_on_from_phases(warp));
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
            while (!stopped() && ordered_[warp].take_access_of(lane))
                run_to_next_wait(warp, 1u << lane);
    } while (!error_ && open_warp_barrier(warp));
}

// Once no lane of the warp can go on: whether some waited at a barrier of the warp.
bool BlockRunner::open_warp_barrier(std::uint32_t number) {
    WarpLanes& warp = warps_[number];
    if (warp.ready != 0 || warp.at_warp_barrier == 0) return false;
    warp_ = number;
    release_warp_barriers(warp, [this](EventKey key, std::uint32_t lanes) {
        ordered_[warp_].add_barrier(key, lanes);
    });
    ordered_[number].begin_turn();
    run_to_next_wait(number, warp.ready);
    return true;
}

// Each of the lanes does the access that it waits before, if it does, and goes on to the next wait.
void BlockRunner::run_to_next_wait(std::uint32_t warp, std::uint32_t lanes) {
    warp_ = warp;
    for (; lanes != 0 && !error_; lanes &= lanes - 1) {
        thread_ = warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
        restore(thread_);
        ++switches_;
        switch_flow(main_, fibers_[thread_]);
    }
}

// On a thread's fiber, before an access.
void BlockRunner::wait_for_turn() {
    const std::uint32_t thread = thread_;
    save(thread);
    switch_flow(fibers_[thread], main_);
}

void BlockRunner::write_epoch() {
    for (std::uint32_t number = 0; number < warps_.size(); ++number) {
        WarpLanes& warp = warps_[number];
        batch_->begin_segment(block_, epoch_, static_cast<std::uint16_t>(number));
        log_writer_.write(ordered_[number].log(), number, writer_, *batch_);
        if (warp.at_block_barrier != 0) write_block_barrier(warp, *batch_);
        batch_->end_segment();
    }
}

// Whether the recording ends here, on a fault, by too little memory or by the user.
bool BlockRunner::stopped() {
    constexpr std::uint32_t kAccessesBetweenCharges = 256;
    if (error_) return true;
    if (job_.cancel != nullptr && job_.cancel->load(std::memory_order_relaxed))
        error_ = cancelled();
    else if (accesses_until_charge_-- == 0) {
        accesses_until_charge_ = kAccessesBetweenCharges;
        charge();
    }
    return error_.has_value();
}

}  // namespace tilereel
