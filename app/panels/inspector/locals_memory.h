#pragma once
// The state that the panel of local variables keeps from frame to frame. draw_locals() of panels.h
// draws the panel.
//
// Widget names (register_widget):
//   locals.<variable> chooses the variable that is shown in all lanes, e.g. locals.sum
//   locals.lane.<n> chooses the watched lane
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/replay/locals.h"

namespace tilereel {

struct LocalsMemory {
    std::uint64_t replay = 0;  // Replay::id() that this state belongs to; 0: none
    std::map<std::uint32_t, std::unique_ptr<WarpLocals>> by_warp{};
    // Name of the chosen variable. Empty: the first floating-point one or, without one, the last.
    std::string chosen{};
    float scroll = 0;  // pixels
    std::uint32_t watched_warp = 0, watched_lane = 0;
    // Chosen by the user; PanelMemory::take_warp() and take_lane() return and clear them.
    std::optional<std::uint32_t> warp_asked{}, lane_asked{};
};

}  // namespace tilereel
