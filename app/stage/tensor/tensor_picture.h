#pragma once
// The picture of fragments, instead of the stage: what each lane of a warp holds of A, B and C
// while the tensor cores are fed.
//
// Its widgets: stage.tensor, stage.tensor.a .b .c (or .matrices), stage.tensor.close,
// stage.tensor.product (the next product of the step), stage.slots, stage.plain_rows,
// stage.tensor.target, stage.tensor.flight
#include "app/stage/stage_view.h"
#include "app/ui/draw/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel::stage {

// Whether the request in flight, or that of the chosen warp, works for the tensor cores, and the
// user has not closed the picture.
[[nodiscard]] bool shows_tensor(const Workbench& workbench);
// Whether shows_tensor() would be true if the user had not closed the picture.
[[nodiscard]] bool has_tensor_picture(const Workbench& workbench);
// Only while shows_tensor().
[[nodiscard]] Commands draw_tensor_picture(const Look& look, const Rect& rect,
                                           const Workbench& workbench, const StageView& view);

}  // namespace tilereel::stage
