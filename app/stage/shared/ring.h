#pragma once
// The planes of multi-buffered shared arrays: the choice of the large plane, and the small ones.
#include "app/stage/shared/shared_picture.h"

namespace tilereel::stage {

// For each of StagePlan::shared(): the plane that the chosen warp reads or, after its last read of
// that plane, the plane that it reads next. Without a chosen warp: the plane of the latest tile
// that any warp has begun to read, until all warps have read it. So the choice changes once for
// each tile.
[[nodiscard]] std::vector<std::uint32_t> large_planes(const Replay& replay, const StagePlan& plan,
                                                      const std::optional<std::uint32_t>& warp);

// "being read", "arrived", in the longest form that fits; empty if none does.
[[nodiscard]] std::string_view buffer_state_text(const Scene& scene, const SharedView& view,
                                                 const SharedPlaneState& plane, float width,
                                                 float px);

void draw_small_plane(Scene& scene, const SharedView& view, const SharedArrayState& model);
// Draws a frame that shows the state of the plane by its shape.
void frame_plane(Scene& scene, const SharedView& view, const SharedPlaneState& plane);
// Detects changes of the large plane. Call it once per frame, before draw_plane_changes() and
// target_of().
void note_plane_changes(Scene& scene);
// Draws a frame that grows from the small plane to the large one.
void draw_plane_changes(Scene& scene);
// The destination of a flight to a cell. It moves with the plane while the large plane changes.
struct Target {
    Rect cell, window;
};
[[nodiscard]] Target target_of(const Scene& scene, const SharedView& view, Element element);

}  // namespace tilereel::stage
