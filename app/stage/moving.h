#pragma once
// Draws the requests whose values move: each is one object.
#include <functional>
#include <optional>

#include "app/stage/scene.h"

namespace tilereel::stage {

// The picture of a global array.
struct Origin {
    Rect window;
    std::function<Rect(const Flight&)> cell_of;  // may lie outside the window
};
using OriginOf = std::function<std::optional<Origin>(ArrayId)>;

// Draws the objects, the frame around the cells from which the newest one comes and the outline of
// the cells to which it goes, and sets Scene::route. `in_cells`: whether a kDirect leg from this
// array is drawn elsewhere, as cells with values.
void draw_moving_legs(Scene& scene, const OriginOf& origin_of,
                      const std::function<bool(ArrayId)>& in_cells);

}  // namespace tilereel::stage
