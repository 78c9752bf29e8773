#pragma once
// The map of a launch's blocks. It marks the recorded blocks and the watched one. A click watches a
// block; a program's block that was not recorded is recorded first.
#include <cstdint>
#include <string>

#include "app/stage/plan/block_grid.h"
#include "app/stage/scene.h"

namespace tilereel::stage {

// Draws one cell for each block if cells of 3 px fit, else a scaled map that marks the recorded
// blocks. `align`: at the left or right edge of `rect`. `largest`: size of a cell in units. Returns
// the lower edge of the map.
float draw_map_of_blocks(Scene& scene, const BlockMap& blocks, const Rect& rect, float largest,
                         Align align);
// The map for a launch that is not a product: as in the grid. A grid of one long row is wrapped.
[[nodiscard]] BlockMap map_of_launch(const Scene& scene, const Rect& rect);
// "3 of 256 recorded: click another to record it", shortened to `width`; empty if all blocks were
// recorded.
[[nodiscard]] std::string recorded_blocks_text(const Scene& scene, const TextStyle& style,
                                               float width);
void watch_block(Scene& scene, std::uint32_t block);
// The effect of a click on a block: "click to watch it".
[[nodiscard]] std::string click_text(const Scene& scene, std::uint32_t block);

}  // namespace tilereel::stage
