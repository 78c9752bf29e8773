#pragma once
// The keys of the page "Where the time goes".
#include "app/panels/panels.h"
#include "app/ui/widgets/keys.h"

namespace tilereel {

// While "Predict first" asks, 1 to 3 choose, Page Down goes on, Escape ends it. Returns whether the
// key was one of these.
bool take_time_quiz_key(const KeyPress& press, TimeMemory& memory);
// Q asks first. Tab and the arrow keys choose a what-if and change M, N and K, Enter does the
// what-if. O shows what blocks find in L2, then in another order, [ and ] choose the wave.
[[nodiscard]] Commands commands_of_time_key(const KeyPress& press, const Workbench& workbench,
                                            PanelMemory& panels);

}  // namespace tilereel
