#pragma once
// The picture of a finding, instead of the stage: of a race the cell with both values and the two
// accesses, of an invalid access the elements around it.
#include "app/stage/stage_view.h"
#include "app/ui/rect.h"
#include "app/ui/theme.h"
#include "app/workbench/workbench.h"

namespace tilereel::stage {

// Whether the picture of a finding is shown: it happens at the shown moment, it has a picture, and
// the user has not closed that.
[[nodiscard]] bool shows_finding(const Workbench& workbench);
// Only while shows_finding(). Returns true if the stage's usual picture was asked for.
[[nodiscard]] bool draw_finding_picture(const Look& look, const Rect& rect,
                                        const Workbench& workbench, const StageView& view);

}  // namespace tilereel::stage
