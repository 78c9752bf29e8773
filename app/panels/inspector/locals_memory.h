#pragma once
// What the panel of the thread's own variables keeps from frame to frame. It is drawn by
// draw_locals() of panels.h.
//
// Names under which its controls are registered (register_widget):
//   locals.<variable> chooses the one that is shown in all lanes, e.g. locals.sum
//   locals.lane.<n> chooses the lane that is watched
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/replay/locals.h"

namespace tilereel {

struct LocalsMemory {
    std::uint64_t replay = 0;  // Replay::id() of the one worked out for; 0: none
    std::map<std::uint32_t, std::unique_ptr<WarpLocals>> by_warp{};
    std::string chosen{};  // the variable's name; empty: the one that changed last
    float scroll = 0;      // pixels
    std::uint32_t watched_warp = 0, watched_lane = 0;
    std::optional<std::uint32_t> warp_asked{}, lane_asked{};  // that the user wants to watch
};

}  // namespace tilereel
