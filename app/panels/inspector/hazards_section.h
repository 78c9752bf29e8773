#pragma once
// The hazard section of the inspector: the barrier that is left out, the order in which the threads
// run, their effect on C, and all findings. It is empty if there are none of these.
#include "app/panels/panel_memory.h"

namespace tilereel {

// The text is rebuilt when the recording changes.
const HazardTexts& hazard_texts(InspectorMemory& memory, const Workbench& workbench);

// Draws from the top left corner of `rect`. Returns the height in pixels: 0 if the section is
// empty. The list of findings is folded until the user unfolds it.
float draw_hazards(const Look& look, const Rect& rect, const Workbench& workbench,
                   InspectorMemory& memory, Commands& commands);

}  // namespace tilereel
