#pragma once
// The time line of a play head: one replay, or two in lock-step.
#include <vector>

#include "app/replay/places/lock_step.h"
#include "app/replay/places/navigation.h"
#include "app/replay/places/stops.h"

namespace tilereel {

class Played {
  public:
    // Implicit, because most callers have one replay.
    Played(Replay& replay) : left_(&replay) {}  // NOLINT
    Played(const LockStep& both, Replay& left, Replay& right)
        : both_(&both), left_(&left), right_(&right) {}

    [[nodiscard]] Tick ticks() const {
        return both_ != nullptr ? both_->ticks() : left_->schedule().ticks;
    }
    // The smallest position. For a single replay it is before the first request.
    [[nodiscard]] double begin() const { return both_ == nullptr ? -kBeforeBarrier : 0; }
    // `position` in ticks, from begin() to ticks().
    void seek(double position) const {
        if (both_ == nullptr && position < 0) {
            left_->seek_before_first();
            return;
        }
        if (both_ == nullptr) {
            left_->seek(static_cast<Tick>(position));
            return;
        }
        left_->seek(static_cast<Tick>(both_->position_of(Side::kLeft, position)));
        right_->seek(static_cast<Tick>(both_->position_of(Side::kRight, position)));
    }
    [[nodiscard]] Tick next_tick(StepUnit unit, Tick from) const {
        return both_ != nullptr ? both_->next_tick(unit, from)
                                : tilereel::next_tick(*left_, unit, from);
    }
    [[nodiscard]] Tick previous_tick(StepUnit unit, Tick from) const {
        return both_ != nullptr ? both_->previous_tick(unit, from)
                                : tilereel::previous_tick(*left_, unit, from);
    }
    [[nodiscard]] std::vector<double> part_stops() const {
        return both_ != nullptr ? both_->part_stops() : tilereel::part_stops(*left_);
    }

  private:
    const LockStep* both_ = nullptr;
    Replay* left_ = nullptr;
    Replay* right_ = nullptr;
};

}  // namespace tilereel
