#pragma once
// Lanes of one warp that wait for each other in warp-level functions: __syncwarp, shuffles, votes.
// A meeting is one such call by all its lanes.
#include <array>
#include <bit>
#include <cstdint>

#include "instrumentation/plain/runtime/running.h"

namespace tilereel::plain {

// The operation that lanes do together.
enum class MeetingKind : std::uint8_t {
    kExchange,
    kShuffle,
    kCommitCopies,
    kWaitCopies,
    kBlockBarrier,
};

// The lanes of a meeting and the value that each of them passed.
struct Meeting {
    std::uint32_t mask = 0;
    const std::array<std::uint64_t, kLanes>* values = nullptr;
};

class Meetings {
  public:
    void clear() { waiting_ = 0; }
    // A lane waits for the lanes of `mask`; 0: for the lanes at the same site. `of_kind`: for a
    // shuffle the source lane, for a wait for copies the number of groups that may stay pending.
    void arrive(std::uint32_t lane, std::uint32_t mask, const Site* site, std::uint64_t value,
                MeetingKind kind, std::uint32_t of_kind) {
        waiting_ |= 1u << lane;
        mask_[lane] = mask;
        site_[lane] = site;
        given_[lane] = value;
        kind_[lane] = kind;
        of_kind_[lane] = of_kind;
    }
    // Called when all lanes of the warp have stopped. Completes the meetings whose lanes have all
    // arrived, calls met(site, lanes, kind, of_kind by lane) for each, and returns their lanes.
    // `elsewhere`: lanes that may still arrive at a meeting. If there are none and no meeting is
    // complete, the lanes that have arrived at the first one go on.
    template <class Met>
    std::uint32_t complete(Met&& met, std::uint32_t elsewhere = 0) {
        std::uint32_t can_come = waiting_ | elsewhere;
        const std::uint32_t before = waiting_;
        for (std::uint32_t left = before; left != 0;) {
            const auto first = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::uint32_t together = meeting_of(first);
            left &= ~together;
            if ((mask_[first] & can_come & ~together) != 0) continue;
            can_come |= together;
            finish(first, together, met);
        }
        if (waiting_ == before && before != 0 && elsewhere == 0) {  // else they would deadlock
            const auto first = static_cast<std::uint32_t>(std::countr_zero(before));
            finish(first, meeting_of(first), met);
        }
        return before & ~waiting_;
    }
    // Whether the lane waits only to be recorded together with other lanes: groups of asynchronous
    // copies belong to a single thread.
    [[nodiscard]] bool waits_for_nobody(std::uint32_t lane) const {
        return (waiting_ >> lane & 1) != 0 && (kind_[lane] == MeetingKind::kCommitCopies ||
                                               kind_[lane] == MeetingKind::kWaitCopies);
    }
    // Completes the meeting for this lane alone.
    template <class Met>
    void complete_alone(std::uint32_t lane, Met&& met) {
        finish(lane, 1u << lane, met);
    }
    // The last meeting of the lane.
    [[nodiscard]] Meeting of(std::uint32_t lane) const { return {mask_[lane], &taken_}; }

  private:
    // The waiting lanes with the same kind and the same mask or, if that is 0, at the same site.
    [[nodiscard]] std::uint32_t meeting_of(std::uint32_t first) const {
        std::uint32_t together = 0;
        for (std::uint32_t left = waiting_; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            if (mask_[lane] == mask_[first] && kind_[lane] == kind_[first] &&
                (mask_[first] != 0 || site_[lane] == site_[first]))
                together |= 1u << lane;
        }
        return together;
    }
    template <class Met>
    void finish(std::uint32_t first, std::uint32_t together, Met&& met) {
        for (std::uint32_t left = together; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            taken_[lane] = given_[lane];
            mask_[lane] = together;
        }
        waiting_ &= ~together;
        met(site_[first], together, kind_[first], of_kind_.data());
    }

    std::uint32_t waiting_ = 0;  // lanes
    std::array<std::uint32_t, kLanes> mask_{};
    std::array<const Site*, kLanes> site_{};
    std::array<MeetingKind, kLanes> kind_{};
    std::array<std::uint32_t, kLanes> of_kind_{};
    std::array<std::uint64_t, kLanes> given_{}, taken_{};
};

}  // namespace tilereel::plain
