#pragma once
// When a flight leaves and lands in the picture.
#include <algorithm>
#include <cstdint>

namespace tilereel::stage {

inline constexpr std::uint32_t kNoIndex = 0xffffffff;
// The shortest duration of a flight in ticks: 800 ms at x1. A flight is shorter if the barrier that
// waits for it opens earlier, or if its value is read or overwritten earlier.
inline constexpr double kFlightTicks = 5;

// The drawn form of a flight; same index as Replay::flights(). Times in ticks.
struct DrawnFlight {
    double leave = 0, land = 0;
    double stored_from = 0;  // begin of the store
    // The previous and the next flight into the same shared cell.
    std::uint32_t previous = kNoIndex, next = kNoIndex;
    std::uint32_t phase = 0;
    bool direct = true;  // it moves to its shared cell without a rest in registers
    // The progress at a time: 0 before it leaves, 1 after it has landed.
    [[nodiscard]] double progress(double ticks) const {
        return std::clamp((ticks - leave) / std::max(land - leave, 1e-6), 0.0, 1.0);
    }
};

}  // namespace tilereel::stage
