#pragma once
#include <string>

#include "app/workbench/workbench.h"

namespace tilereel {

// What the window shows, for its title bar: "09_tiled 16 x 16 x 16, TILE 8 - Tilereel".
[[nodiscard]] std::string window_title(const Workbench& workbench);

}  // namespace tilereel
