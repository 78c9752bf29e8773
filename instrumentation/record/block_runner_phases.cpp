// The part of BlockRunner that keeps barriers in shared memory and the boxes that count towards
// their phases. Threads that wait for a phase go on only once it may end, so they need the exact
// order of block_runner_in_order.cpp.
#include <algorithm>
#include <bit>
#include <cstring>

#include "instrumentation/base/check.h"
#include "instrumentation/record/block_runner.h"

namespace tilereel {

using dialect::EventKind;

std::uint32_t BlockRunner::declare_arrivals(std::uint32_t count) {
    check(in_order_);
    const std::uint32_t first = declared_arrivals_[thread_];
    declared_arrivals_[thread_] += count;
    guarded([&] {
        if (arrivals_.size() < first + count) arrivals_.resize(first + count);
        awaited_phase_.resize(threads_);
    });
    if (first + count <= ArrivalPhase::kMostBarriers) return first;
    note("a block has more than " + std::to_string(ArrivalPhase::kMostBarriers) +
         " barriers in shared memory; use fewer");
    abandon();
}

void BlockRunner::init_arrival(std::uint32_t number, std::uint32_t arrivals) {
    arrivals_[number].init(arrivals);
}

std::uint32_t BlockRunner::arrive(std::uint32_t number, std::uint32_t bytes, std::uint32_t line) {
    auto& barrier = arrivals_[number];
    const auto land = [](const StartedCopy& copy) {
        std::memcpy(copy.to, copy.value.data(), copy.bytes);
    };
    if (barrier.may_end()) barrier.end_phase(land);  // or there would be no arrival for it
    if (!barrier.made() || barrier.pending() == 0) {
        note("line " + std::to_string(line) + ": a thread arrives at a barrier in shared memory " +
             (barrier.made() ? "once more than a phase waits for" : "that no thread has made") +
             "; correct the kernel");
        abandon();
    }
    const std::uint32_t phase = phase_under_way(number);
    barrier.arrive(bytes);
    if (barrier.may_end() && !barrier.brings_bytes()) barrier.end_phase(land);
    return phase;
}

std::uint32_t BlockRunner::phase_under_way(std::uint32_t number) const {
    return ArrivalPhase{number, arrivals_[number].phase()}.base();
}

std::uint32_t BlockRunner::phase_to_wait_for(std::uint32_t number, std::uint32_t parity) const {
    const std::uint32_t phase = arrivals_[number].phase();
    if (phase % 2 == parity) return ArrivalPhase{number, phase}.base();
    return phase == 0 ? dialect::kNoPhase : ArrivalPhase{number, phase - 1}.base();
}

// On the fiber of a thread.
void BlockRunner::wait_for_phase(std::uint32_t phase, std::uint32_t line) {
    const ArrivalPhase awaited = ArrivalPhase::of(phase);
    const std::uint32_t thread = thread_;
    const std::uint32_t lane = 1u << thread % kWarpSize;
    for (;;) {
        auto& barrier = arrivals_[awaited.barrier];
        if (barrier.phase() == awaited.phase && barrier.may_end())
            barrier.end_phase([](const StartedCopy& copy) {
                std::memcpy(copy.to, copy.value.data(), copy.bytes);
            });
        if (barrier.made() && barrier.phase() > awaited.phase) return;
        awaited_phase_[thread] = phase;
        warps_[warp_].at_phase |= lane;
        warps_[warp_].line[thread % kWarpSize] = line;
        save(thread);
        switch_flow(fibers_[thread], main_);
    }
}

void BlockRunner::start_box_pieces(const dialect::BoxPieces& box) {
    const std::uint32_t mask =
        box.count == kWarpSize ? 0xffffffff : (std::uint32_t{1} << box.count) - 1;
    guarded([&] {
        auto& barrier = arrivals_[ArrivalPhase::of(box.phase).barrier];
        for (std::uint32_t i = 0; i < box.count; ++i) {
            StartedCopy copy{.to = shared_.get() + box.pieces[i].to_bytes,
                             .bytes = box.width_bytes};
            std::memcpy(copy.value.data(), box.pieces[i].value, box.width_bytes);
            barrier.start(copy);
        }
        OrderedWarp& warp = ordered_[warp_];
        const auto key = [&](EventKind kind, std::uint32_t array) {
            return dialect::event_key(box.line, kind, array | dialect::kOfCopy, box.width_bytes);
        };
        if (box.pieces[0].from_bytes != dialect::BoxPiece::kOutside)
            if (std::uint32_t* const from = warp.add(key(EventKind::kLoad, box.from_array), mask))
                for (std::uint32_t i = 0; i < box.count; ++i) from[i] = box.pieces[i].from_bytes;
        std::uint32_t* to = warp.add(key(EventKind::kStore, box.to_array), mask);
        if (to == nullptr) return;
        for (std::uint32_t i = 0; i < box.count; ++i) *to++ = box.pieces[i].to_bytes;
        for (std::uint32_t word = 0; word < box.width_bytes / 4; ++word)
            for (std::uint32_t i = 0; i < box.count; ++i, ++to)
                std::memcpy(to, static_cast<const char*>(box.pieces[i].value) + 4 * word, 4);
    });
}

// Every thread as far as it gets in this epoch, whoever waits for whose arrival.
void BlockRunner::take_turns() {
    lanes_may_part_ = false;
    for (;;) {
        const std::uint64_t before = switches_;
        run_epoch_in_order();
        if (error_ || arrivals_.empty()) return;
        const bool more = switches_ != before;
        if (!more && (lanes_may_part_ || !waits_for_own_lanes())) break;
        lanes_may_part_ = !more;
    }
    note_who_waits_for_ever();
}

// The lanes of the warp whose phase is over, or may end now, go on. False: there are none.
bool BlockRunner::go_on_from_phases(std::uint32_t number) {
    WarpLanes& warp = warps_[number];
    std::uint32_t lanes = 0;
    for (std::uint32_t left = warp.at_phase; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const ArrivalPhase awaited = ArrivalPhase::of(awaited_phase_[number * kWarpSize + lane]);
        const auto& barrier = arrivals_[awaited.barrier];
        if (barrier.made() && (barrier.phase() > awaited.phase ||
                               (barrier.phase() == awaited.phase && barrier.may_end())))
            lanes |= 1u << lane;
    }
    warp.at_phase &= ~lanes;
    if (lanes != 0) run_to_next_wait(number, lanes);
    return lanes != 0;
}

// Lanes of some warp wait for a phase while others could go on.
bool BlockRunner::waits_for_own_lanes() const {
    return std::ranges::any_of(warps_, [](const WarpLanes& warp) {
        return warp.at_phase != 0 && warp.at_phase != warp.ready;
    });
}

// Nobody can go on: who still waits for a phase would wait for ever.
void BlockRunner::note_who_waits_for_ever() {
    for (std::uint32_t number = 0; number < warps_.size(); ++number) {
        const WarpLanes& warp = warps_[number];
        if (warp.at_phase == 0) continue;
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.at_phase));
        const std::uint32_t line = warp.line[lane];
        const ArrivalPhase awaited = ArrivalPhase::of(awaited_phase_[number * kWarpSize + lane]);
        const auto& barrier = arrivals_[awaited.barrier];
        note("thread " + std::to_string(number * kWarpSize + lane) + " of block " +
             std::to_string(block_) + " waits for ever on line " + std::to_string(line) + ": " +
             (!barrier.made()          ? "no thread makes the barrier"
              : barrier.pending() != 0 ? "too few threads arrive at the barrier"
                                       : "fewer bytes come than were announced") +
             "; correct the kernel");
        return;
    }
}

}  // namespace tilereel
