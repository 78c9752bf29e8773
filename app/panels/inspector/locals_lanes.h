#pragma once
// One variable in all lanes of a warp, with a bar for each value; and the variable's history.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/paragraph.h"
#include "app/replay/arrays/locals.h"

namespace tilereel {

inline constexpr std::size_t kLaneRows = kWarpSize / 2;  // the lanes are drawn in two columns

// A variable's values in the warp: "0 to 31", "2 in all lanes", "true in 5 lanes".
[[nodiscard]] std::string warp_values_text(const Trace& trace, const LocalVariable& variable,
                                           const LaneValues& values);

struct ShownLanes {
    const Replay& replay;
    const WarpLocals& locals;
    std::size_t variable = 0;  // index into WarpLocals::variables()
    const LaneValues& values;
    std::uint32_t lane = 0;  // the watched lane
};
// Widget names: locals.lane.<n>. Returns the lane that was clicked.
std::optional<std::uint32_t> draw_lane_values(const Look& look, const Rect& rect, float px,
                                              const ShownLanes& shown);
// "lane 5: 2.0, 6.0, 14.0": the latest values in the watched lane, the current one last. Empty if
// there are fewer than two.
[[nodiscard]] std::vector<StyledText> latest_values(const Palette& colors, const ShownLanes& shown);

// Draws the iterations of the loop that changes a variable: the loop variable, and below it the
// value after each iteration. An iteration that has not run yet has a dot; the current one is bold.
// Draws as many as fit from the top left corner of `rect`; px: font size. Registered as
// locals.iterations. Returns the height in pixels: 0 if no loop changes the variable.
float draw_iterations(const Look& look, const Rect& rect, float px, const Replay& replay,
                      const WarpLocals& locals, std::size_t variable, std::uint32_t lane);
// The text of a value in a table. Long numbers are rounded.
[[nodiscard]] std::string short_text(const Trace& trace, const LocalVariable& variable,
                                     const LocalValue& value);

}  // namespace tilereel
