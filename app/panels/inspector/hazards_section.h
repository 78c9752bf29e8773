#pragma once
// The inspector's part about hazards: which barrier is left out and in which order the threads run,
// what that does to C, and every finding. Only where there is something to say.
#include "app/panels/memory.h"

namespace tilereel {

// Made anew when the recording changed.
const HazardTexts& hazard_texts(InspectorMemory& memory, const Workbench& workbench);

// As high as it is with so many of the findings shown (at least one, if there are any); 0: nothing
// to say. All of them are shown once the list is unfolded.
[[nodiscard]] float hazards_height(const Look& look, float width, const Workbench& workbench,
                                   InspectorMemory& memory, std::size_t findings);
// The most findings that fit `height`, at least one.
[[nodiscard]] std::size_t findings_that_fit(const Look& look, float width, float height,
                                            const Workbench& workbench, InspectorMemory& memory);
Commands draw_hazards(const Look& look, const Rect& rect, const Workbench& workbench,
                      InspectorMemory& memory, std::size_t findings);

}  // namespace tilereel
