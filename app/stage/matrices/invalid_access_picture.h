#pragma once
// The picture of an access out of bounds, of a misaligned one, and of a read of what was never
// written: who, which element, which line, and what lies around it.
#include "app/stage/stage_view.h"
#include "app/ui/rect.h"
#include "app/workbench/workbench.h"

namespace tilereel::stage {

// `scene` has an access. Returns true if the stage's usual picture was asked for.
[[nodiscard]] bool draw_invalid_access(const Look& look, const Rect& rect,
                                       const Workbench& workbench, const FindingScene& scene,
                                       const StageView& view);

}  // namespace tilereel::stage
