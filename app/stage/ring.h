#pragma once
// Planes of a shared array that take turns: which one stands large, and the small ones.
#include "app/stage/shared_picture.h"

namespace tilereel::stage {

// Of each of StagePlan::shared(): the plane that the chosen warp reads; once it has read it, the
// one that it will read next. Where no warp is chosen: that of the latest tile that any warp has
// begun to read, until all have read it; so that it changes once a tile.
[[nodiscard]] std::vector<std::uint32_t> large_planes(const Replay& replay, const StagePlan& plan,
                                                      const std::optional<std::uint32_t>& warp);

// "being read", "arrived"; the longest that fits.
[[nodiscard]] std::string words_of_stage(const SharedPlaneState& plane, bool copied, float width,
                                         float px);

void draw_small_plane(Scene& scene, const SharedView& view, const SharedArrayState& model);
// By what is done with the plane: a frame that tells it without its colour.
void frame_plane(Scene& scene, const SharedView& view, const SharedPlaneState& plane);
// Notes where another plane has come to stand large. Call once a frame, before what follows.
void note_turning(Scene& scene);
// A frame that grows from the small plane to the large one.
void draw_turning(Scene& scene);
// Where what flies to a cell lands: it follows a plane that moves to another place.
struct Target {
    Rect cell, window;
};
[[nodiscard]] Target target_of(const Scene& scene, const SharedView& view, std::uint32_t row,
                               std::uint32_t column);

}  // namespace tilereel::stage
