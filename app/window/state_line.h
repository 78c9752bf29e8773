#pragma once
// The state of the window as one line of JSON. Tests of the real window wait for it.
#include <string>

#include "app/workbench/workbench.h"

namespace tilereel {

// {"kernel", "m", "n", "k", "tile", "pad": of the shown recording; "recording": one is in progress;
//  "block", "tick", "ticks": of the shown replay; "playing", "scrubbing", "unit", "speed", "light",
//  "text_px", "motion", "full_screen", "racing", "measuring": the device for races is being looked
//  for; "race": {"device", "recorded", "complete", "samples"} of the shown race; "pair", "help",
//  "mode", "message", "widgets": {name: [x, y, width, height]} of the last frame}
[[nodiscard]] std::string state_line(const Workbench& workbench);

}  // namespace tilereel
