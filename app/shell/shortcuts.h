#pragma once
// The actions of the window's keys.
#include "app/panels/panels.h"
#include "app/stage/stage.h"
#include "app/ui/widgets/keys.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The commands for a key press. A press that changes only `stage` or `panels`, such as zoom or
// scrolling, takes effect at once.
Commands commands_of_key(const KeyPress& press, const Workbench& workbench, StageView& stage,
                         PanelMemory& panels);

}  // namespace tilereel
