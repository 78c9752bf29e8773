#pragma once
// What a race holds, in one line of a menu.
#include <string>

#include "app/race/race.h"

namespace tilereel {

// "NVIDIA H100 80GB HBM3, 2026-11-21. 27 contenders of 14 kernels; N = 256 to 8,192; cold caches."
[[nodiscard]] std::string race_summary(const Race& race);

}  // namespace tilereel
