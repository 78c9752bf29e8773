#pragma once
// One variable in all lanes of a warp: a bar and its value each; and what it was before.
#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/inspector/locals_strip.h"

namespace tilereel {

inline constexpr std::size_t kLaneRows = kWarpSize / 2;  // lanes stand in two columns

// What one variable is in the warp.
struct InWarp {
    std::string words;  // "0 to 31", "2 in all lanes"
    bool differs = false;
};
[[nodiscard]] InWarp in_warp_of(const Trace& trace, const LocalVariable& variable,
                                const LaneValues& values);

struct ShownLanes {
    const Replay& replay;
    const WarpLocals& locals;
    std::size_t variable = 0;  // index into WarpLocals::variables()
    const LaneValues& values;
    std::uint32_t lane = 0;  // that is watched
};
// Registered as locals.lane.<n>. Returns the lane that was clicked.
std::optional<std::uint32_t> draw_lane_values(const Look& look, const Rect& rect,
                                              const StripText& text, const ShownLanes& shown);
// "lane 5: 2.0, 6.0, 14.0": the latest values of the watched lane, the present one last.
void draw_latest_values(const Look& look, const Rect& rect, const StripText& text,
                        const ShownLanes& shown);

}  // namespace tilereel
