#pragma once
// What each key of the window does.
#include "app/panels/panels.h"
#include "app/stage/stage.h"
#include "app/ui/keys.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The commands a key press asks for; presses that change only what the panels remember (help,
// messages, zoom) are done at once.
Commands commands_of_key(const KeyPress& press, const Workbench& workbench, StageView& stage,
                         PanelMemory& panels);

}  // namespace tilereel
