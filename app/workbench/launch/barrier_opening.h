#pragma once
// The barrier that has just opened: the last warp has arrived, and the play head has moved past it.
#include <cstdint>
#include <optional>

#include "app/replay/replay.h"

namespace tilereel {

inline constexpr double kBarrierPartsSeconds = 0.12;   // until the bar is open
inline constexpr double kBarrierPassSeconds = 0.24;    // in which the warps pass
inline constexpr double kBarrierOpenSeconds = 0.48;    // until the bar is closed again
inline constexpr double kFastestBarrierOpening = 4.0;  // faster play is not animated

struct BarrierOpening {
    std::uint32_t barrier = 0;  // index into Schedule::barriers
    double seconds = 0;         // since it opened
    // How far the bar is open, from 0 to 1.
    [[nodiscard]] float gap() const;
    // The share of their way through the bar that the warps have passed. nullopt: they are through.
    [[nodiscard]] std::optional<float> passed() const;
};

// Where a replay stands, and how it got there; see the members of Workbench.
struct Standing {
    double position = 0, moved_from = 0;
    double speed = 1;
    bool moving = false;
    bool animated = true;  // false without motion, and while the timeline is dragged
};

// Follows a replay from frame to frame.
class BarrierGate {
  public:
    void follow(const Replay& replay, const Standing& now, double seconds);
    [[nodiscard]] const std::optional<BarrierOpening>& opening() const { return opening_; }

  private:
    std::uint64_t replay_ = 0;  // Replay::id()
    double last_position_ = 0, last_moved_from_ = 0;
    std::optional<BarrierOpening> opening_;
};

}  // namespace tilereel
