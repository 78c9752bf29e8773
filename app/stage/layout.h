#pragma once
// Computes the layout of the stage. All lengths are in pixels.
#include "app/stage/stage_layout.h"

namespace tilereel::stage {

// The font size for `digits` in a cell of `w` x `h` pixels. 0 if it would be too small to read.
[[nodiscard]] float cell_type(const Look& look, float w, float h, int digits);
// Sets the first visible cells to those in `zoom`, which is clamped to the existing cells.
void scroll_matrices(StageLayout& layout, Zoom& zoom);

// `banks`: number of banks of the chosen generation, at most kBankColumns.
[[nodiscard]] StageLayout layout_stage(const Look& look, const Rect& rect, const Trace& trace,
                                       const StagePlan& plan, Zoom& zoom,
                                       std::uint32_t banks = kBankColumns);

}  // namespace tilereel::stage
