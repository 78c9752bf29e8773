#pragma once
// Two replays in lock-step: both are at the same logical step. A logical step is the n-th request
// of one kind (load or store, of the array with this name) of a warp in one part of one phase. Line
// numbers, addresses and costs may differ. A step that only one side has is an entry of its own,
// during which the other side waits. An entry lasts as long as the slower side needs.
#include <array>
#include <cstddef>
#include <vector>

#include "app/replay/places/navigation.h"
#include "app/replay/replay.h"

namespace tilereel {

enum class Side : std::uint8_t { kLeft = 0, kRight = 1 };

struct LockStepEntry {
    std::array<std::uint32_t, 2> step = {kNoStep, kNoStep};  // by side: step in its schedule
    std::array<Tick, 2> hold{};  // by side: tick at which it waits if it has no such step
    Tick begin = 0;              // in common time
    Tick ticks = 1;
    [[nodiscard]] Tick end() const { return begin + ticks; }
    [[nodiscard]] bool has(Side side) const {
        return step[static_cast<std::size_t>(side)] != kNoStep;
    }
};

class LockStep {
  public:
    // Reads the schedules. The replays need not outlive this object.
    LockStep(const Replay& left, const Replay& right);

    [[nodiscard]] Tick ticks() const { return entries_.empty() ? 0 : entries_.back().end(); }
    [[nodiscard]] const std::vector<LockStepEntry>& entries() const { return entries_; }
    // The entry at a position; the last one at the end. There must be at least one entry.
    [[nodiscard]] const LockStepEntry& entry_at(double position) const;
    // Converts a common position to the position of a side, in ticks of that side. A side that has
    // finished its step waits at the end of the step.
    [[nodiscard]] double position_of(Side side, double position) const;
    // Converts the position of a side to a common position.
    [[nodiscard]] double common_of(Side side, double side_position) const;
    // Whether the side has finished its step of this entry, or has none, and waits for the other.
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
    std::array<std::vector<Tick>, 2> begin_, end_;        // by side and step, in the side's ticks
    std::array<Tick, 2> side_ticks_{};
    std::vector<Tick> phase_begins_;  // of both sides, in common time, ascending
    std::vector<double> part_stops_;  // of both sides, in common time, ascending
};

}  // namespace tilereel
