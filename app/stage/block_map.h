#pragma once
// The map of a launch's blocks: which were recorded, which is watched. A click watches a block; one
// of a program that was not recorded is recorded first.
#include <cstdint>
#include <optional>
#include <string>

#include "app/stage/block_grid.h"
#include "app/stage/scene.h"

namespace tilereel::stage {

// A cell a block where cells of 3 px fit, else a scaled map with the recorded blocks marked.
// `blocks` in `rect`, at its left or right edge; `largest`: of a cell, units. Returns the lower
// edge.
float draw_map_of_blocks(Scene& scene, const BlockMap& blocks, const Rect& rect, float largest,
                         Align align);
// The map of blocks that have no place in an array: as in the launch, one long row of blocks in
// several.
[[nodiscard]] BlockMap map_of_launch(const Scene& scene, const Rect& rect);
// "3 of 256 recorded: click another to record it", as much of it as `width` has room for; empty
// where all blocks were recorded.
[[nodiscard]] std::string words_of_recorded(const Scene& scene, const TextStyle& style,
                                            float width);
// The block of this launch that is being recorded, if one is.
[[nodiscard]] std::optional<std::uint32_t> asked_block(const Scene& scene);
// What a click on a block would do, in words: "click to watch it".
[[nodiscard]] std::string words_of_click(const Scene& scene, std::uint32_t block);

}  // namespace tilereel::stage
