#pragma once
// The picture of a warpgroup's product (wgmma), instead of the stage: the pieces of A and B that it
// reads from shared memory, and the sums in the registers of its 128 lanes.
//
// Its widgets: stage.wgmma.a, .b (the lines of shared memory), .sums (D), .part (the 8 columns that
// are shown with values), and those of the head (tensor_head.h).
#include "app/ui/draw/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel::stage {

// Whether the request in flight reads for a warpgroup's product, or stores its sums.
[[nodiscard]] bool has_warpgroup_picture(const Workbench& workbench);
// Only while has_warpgroup_picture().
[[nodiscard]] Commands draw_warpgroup_picture(const Look& look, const Rect& rect,
                                              const Workbench& workbench);

}  // namespace tilereel::stage
