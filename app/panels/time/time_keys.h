#pragma once
// The keys of the page "Where the time goes".
#include "app/panels/panels.h"
#include "app/ui/widgets/keys.h"

namespace tilereel {

// Tab and the arrow keys choose a what-if and change M, N and K, Enter does the what-if.
[[nodiscard]] Commands commands_of_time_key(const KeyPress& press, const Workbench& workbench,
                                            PanelMemory& panels);

}  // namespace tilereel
