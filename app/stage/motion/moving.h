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
// the cells to which it goes. An object is drawn as its cells while their values can be read, and
// as one bar otherwise.
void draw_moving_legs(Scene& scene, const OriginOf& origin_of);

}  // namespace tilereel::stage
