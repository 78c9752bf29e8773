#pragma once
// The picture of a race, instead of the stage: the cell with both values, and the two accesses.
#include "app/stage/stage_view.h"
#include "app/ui/rect.h"
#include "app/ui/theme.h"
#include "app/workbench/workbench.h"

namespace tilereel::stage {

// Whether the picture of a race is shown: a race happens at the shown moment, and the user has not
// closed its picture.
[[nodiscard]] bool shows_finding(const Workbench& workbench);
// Only while shows_finding(). Returns true if the stage's usual picture was asked for.
[[nodiscard]] bool draw_finding_picture(const Look& look, const Rect& rect,
                                        const Workbench& workbench, const StageView& view);

}  // namespace tilereel::stage
