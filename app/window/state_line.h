#pragma once
// What the window shows, as one line of JSON: what tests of the real window wait for.
#include <string>

#include "app/workbench/workbench.h"

namespace tilereel {

// {"kernel", "m", "n", "k", "tile", "pad": of the recording shown; "recording": one is under way;
//  "tick", "ticks", "playing", "scrubbing", "unit", "speed", "light", "text_px", "full_screen",
//  "racing", "measuring": what this machine can reach, before the first race; "race": {"device",
//  "recorded", "complete", "samples"} of the one shown, "pair", "help", "mode", "message",
//  "widgets": {name: [x, y, width, height]} of the last frame}
[[nodiscard]] std::string state_line(const Workbench& workbench);

}  // namespace tilereel
