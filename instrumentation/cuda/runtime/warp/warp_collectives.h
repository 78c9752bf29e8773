#pragma once
// Warp collectives: __syncwarp(), shuffles, votes. The lanes of a mask call one together, and wait
// for each other in it.
#include <array>
#include <bit>
#include <cstdint>

#include "instrumentation/cuda/runtime/running.h"

namespace tilereel::runtime {

// How a collective is recorded. __syncwarp() and votes are exchanges, too.
enum class CollectiveKind : std::uint8_t {
    kExchange,
    kShuffle,
    kCommitCopies,  // to kSetRegisters: see waits_for_nobody()
    kWaitCopies,
    kCommitProducts,
    kWaitProducts,
    kFence,
    kSetRegisters,
    kBlockBarrier,
    kClusterBarrier,
    kGridBarrier,
    kTogether,  // the value is the address of a LanesTogether; not recorded as such
};

// What lanes do together once all of them have come: an instruction that reads and writes the
// registers of all lanes. It runs while they wait, so that none reads what another has changed
// since.
struct LanesTogether {
    // `lanes`: by lane; only those of the mask are valid.
    void (*run)(std::uint32_t mask, const LanesTogether* const* lanes) = nullptr;
};

// The lanes that took part in a collective, and the value that each of them passed.
struct CollectiveResult {
    std::uint32_t mask = 0;
    const std::array<std::uint64_t, kLanes>* values = nullptr;
};

class WarpCollectives {
  public:
    void clear() { waiting_ = 0; }
    // A lane calls a collective. It waits for the lanes of `mask`; 0: for the lanes at the same
    // site. `operand`: for a shuffle the source lane, for a wait for copies the number of groups
    // that may stay pending.
    void arrive(std::uint32_t lane, std::uint32_t mask, const Site* site, std::uint64_t value,
                CollectiveKind kind, std::uint32_t operand) {
        waiting_ |= 1u << lane;
        mask_[lane] = mask;
        site_[lane] = site;
        values_[lane] = value;
        kind_[lane] = kind;
        operand_[lane] = operand;
    }
    // Called when all lanes of the warp have stopped. Completes the collectives whose lanes have
    // all arrived, calls completed(site, lanes, kind, operands by lane) for each, and returns their
    // lanes. `elsewhere`: lanes that may still arrive at a collective. If there are none and no
    // collective is complete, the first one completes without the lanes that are missing.
    template <class Completed>
    std::uint32_t complete(Completed&& completed, std::uint32_t elsewhere = 0) {
        std::uint32_t can_come = waiting_ | elsewhere;
        const std::uint32_t before = waiting_;
        for (std::uint32_t left = before; left != 0;) {
            const auto first = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::uint32_t together = collective_of(first);
            left &= ~together;
            if ((mask_[first] & can_come & ~together) != 0) continue;
            can_come |= together;
            finish(first, together, completed);
        }
        if (waiting_ == before && before != 0 && elsewhere == 0) {  // else they would deadlock
            const auto first = static_cast<std::uint32_t>(std::countr_zero(before));
            finish(first, collective_of(first), completed);
        }
        return before & ~waiting_;
    }
    // Whether the lane waits only to be recorded together with other lanes: groups of asynchronous
    // copies, and fences, belong to a single thread.
    [[nodiscard]] bool waits_for_nobody(std::uint32_t lane) const {
        const CollectiveKind kind = kind_[lane];
        return (waiting_ >> lane & 1) != 0 && kind >= CollectiveKind::kCommitCopies &&
               kind <= CollectiveKind::kSetRegisters;
    }
    // Completes the collective for this lane alone.
    template <class Completed>
    void complete_alone(std::uint32_t lane, Completed&& completed) {
        finish(lane, 1u << lane, completed);
    }
    // The last collective of the lane.
    [[nodiscard]] CollectiveResult of(std::uint32_t lane) const { return {mask_[lane], &results_}; }

  private:
    // The waiting lanes with the same kind and the same mask or, if that is 0, at the same site.
    [[nodiscard]] std::uint32_t collective_of(std::uint32_t first) const {
        std::uint32_t together = 0;
        for (std::uint32_t left = waiting_; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            if (mask_[lane] == mask_[first] && kind_[lane] == kind_[first] &&
                (mask_[first] != 0 || site_[lane] == site_[first]))
                together |= 1u << lane;
        }
        return together;
    }
    template <class Completed>
    void finish(std::uint32_t first, std::uint32_t together, Completed&& completed) {
        for (std::uint32_t left = together; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            results_[lane] = values_[lane];
            mask_[lane] = together;
        }
        if (kind_[first] == CollectiveKind::kTogether) {
            std::array<const LanesTogether*, kLanes> lanes{};
            for (std::uint32_t lane = 0; lane < kLanes; ++lane)
                if ((together >> lane & 1) != 0)
                    lanes[lane] = reinterpret_cast<const LanesTogether*>(values_[lane]);
            lanes[first]->run(together, lanes.data());
        }
        waiting_ &= ~together;
        completed(site_[first], together, kind_[first], operand_.data());
    }

    std::uint32_t waiting_ = 0;  // lanes
    std::array<std::uint32_t, kLanes> mask_{};
    std::array<const Site*, kLanes> site_{};
    std::array<CollectiveKind, kLanes> kind_{};
    std::array<std::uint32_t, kLanes> operand_{};
    std::array<std::uint64_t, kLanes> values_{}, results_{};
};

}  // namespace tilereel::runtime
