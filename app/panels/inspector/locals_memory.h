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
    std::string chosen{};  // name of the chosen variable; empty: the first floating-point one
    float scroll = 0;      // pixels
    std::uint32_t watched_warp = 0, watched_lane = 0;
    std::optional<std::uint32_t> warp_asked{}, lane_asked{};  // requested, not yet taken
};

}  // namespace tilereel
