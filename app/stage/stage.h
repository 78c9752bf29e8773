#pragma once
// The stage: A at the left of C, B above it, shared tiles, banks, warps and the barrier.
//
// Its widgets (register_widget):
//   stage.registers: operands that lanes hold
//   stage.a.tile stage.b.tile stage.c.tile: the visible part of the current tiles
//   stage.map stage.a stage.b stage.c stage.warps stage.banks stage.request stage.reset_zoom
//   stage.reset_shared_zoom stage.whole (where values do not fit into all cells)
//   stage.warp.<n>, e.g. stage.warp.3, where each warp has a token: a click chooses it
//   stage.lane.<n>: likewise the lanes of the request
//   stage.flight.<array>, e.g. stage.flight.Bs[1]: the name of cells that fly there without values
//   stage.fragments stage.fragments.a .b .c (where lanes own several rows and columns of C)
//   stage.shared.<array>, e.g. stage.shared.As; of an array of several planes, those that stand
//   large, e.g. stage.shared.As.0; stage.ring.As.0 .1 ... where they stand small
#include "app/stage/stage_view.h"
#include "app/ui/draw/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The action of key 0. If the user has zoomed or panned, it restores the default view. Otherwise it
// switches between the watched part and all of A, B and C.
Commands show_all_or_watched(StageView& view);

// The zoom and pan that are shown.
[[nodiscard]] StageZoom stage_zoom_of(const StageView& view);

// Draws the stage into `rect` of the current ImGui window. Returns the user's commands, such as a
// block chosen on the map or on C. Does not change any model.
Commands draw_stage(const Look& look, const Rect& rect, const Workbench& workbench,
                    StageView& view);

}  // namespace tilereel
