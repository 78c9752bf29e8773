#pragma once
// Two replays in lock-step: both stand at the same logical step. A logical step is the n-th request
// of a warp of one kind (load or store, of the array of this name) in one part of one phase; line
// numbers, addresses and costs may differ. A step that only one side has is an entry of its own,
// during which the other side waits. An entry takes as long as the slower side needs.
#include <array>
#include <cstddef>
#include <vector>

#include "app/replay/navigation.h"
#include "app/replay/replay.h"

namespace tilereel {

enum class Side : std::uint8_t { kLeft = 0, kRight = 1 };

struct LockStepEntry {
    std::array<std::uint32_t, 2> step = {kNoStep, kNoStep};  // by side, of its schedule
    std::array<Tick, 2> hold{};  // by side: where it waits when it has no such step
    Tick begin = 0;              // common time
    Tick ticks = 1;
    [[nodiscard]] Tick end() const { return begin + ticks; }
    [[nodiscard]] bool has(Side side) const {
        return step[static_cast<std::size_t>(side)] != kNoStep;
    }
};

class LockStep {
  public:
    // Reads the schedules; the replays may move or go afterwards.
    LockStep(const Replay& left, const Replay& right);

    [[nodiscard]] Tick ticks() const { return entries_.empty() ? 0 : entries_.back().end(); }
    [[nodiscard]] const std::vector<LockStepEntry>& entries() const { return entries_; }
    // The entry that runs at a position; the last one at the end. There must be one.
    [[nodiscard]] const LockStepEntry& entry_at(double position) const;
    // Where a side stands, in its own ticks. A side that is done waits at the end of its step.
    [[nodiscard]] double position_of(Side side, double position) const;
    // The position at which a side stands at a tick of its own.
    [[nodiscard]] double common_of(Side side, double side_position) const;
    // The side has done its step of this entry, or has none, and waits for the other one.
    [[nodiscard]] bool waits(Side side, double position) const;
    [[nodiscard]] std::size_t steps_only_of(Side side) const;

    [[nodiscard]] Tick next_tick(StepUnit unit, Tick from) const;
    [[nodiscard]] Tick previous_tick(StepUnit unit, Tick from) const;
    [[nodiscard]] const std::vector<double>& part_stops() const { return part_stops_; }

  private:
    [[nodiscard]] std::size_t index_at(double position) const;
    void note_stops(const Replay& replay, Side side);

    std::vector<LockStepEntry> entries_;                  // in order
    std::array<std::vector<std::uint32_t>, 2> entry_of_;  // by side and step
    std::array<std::vector<Tick>, 2> begin_, end_;        // likewise, its own ticks
    std::array<Tick, 2> side_ticks_{};
    std::vector<Tick> phase_begins_;  // common, of both sides, ascending
    std::vector<double> part_stops_;  // likewise
};

}  // namespace tilereel
