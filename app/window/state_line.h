#pragma once
// The state of the window as one line of JSON. Tests of the real window wait for it.
#include <string>

#include "app/workbench/workbench.h"

namespace tilereel {

// The members:
//   kernel, m, n, k, tile, pad            of the shown recording
//   recording                             whether a recording is in progress
//   block, tick, ticks                    of the shown replay
//   playing, scrubbing, unit, speed       of the play head
//   racing, measuring                     whether a race runs; whether its device is looked for
//   race                                  {device, recorded, complete, samples} of the shown race
//   pair                                  whether the race of two kernels is shown
//   light, text_px, motion, full_screen, help, mode, message
//   widgets                               {name: [x, y, width, height]} of the last frame
[[nodiscard]] std::string state_line(const Workbench& workbench);

}  // namespace tilereel
