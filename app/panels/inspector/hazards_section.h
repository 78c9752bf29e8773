#pragma once
// The hazard section of the inspector: the barrier that is left out, the order in which the threads
// run, their effect on C, and all findings. It is empty if there are none of these.
#include "app/panels/memory.h"

namespace tilereel {

// The text is rebuilt when the recording changes.
const HazardTexts& hazard_texts(InspectorMemory& memory, const Workbench& workbench);

// The height in pixels with `findings` findings shown (at least one, if there are any). 0 if the
// section is empty. Once the list is unfolded, all findings are shown.
[[nodiscard]] float hazards_height(const Look& look, float width, const Workbench& workbench,
                                   InspectorMemory& memory, std::size_t findings);
// The number of findings that fit into `height` pixels, at least one.
[[nodiscard]] std::size_t findings_that_fit(const Look& look, float width, float height,
                                            const Workbench& workbench, InspectorMemory& memory);
Commands draw_hazards(const Look& look, const Rect& rect, const Workbench& workbench,
                      InspectorMemory& memory, std::size_t findings);

}  // namespace tilereel
