#pragma once
// One request that moves, as it lies in the picture: the cells from which it comes, and those to
// which it goes.
//
// An object is computed anew in each frame, because windows scroll, buffers change their places and
// the user zooms while it moves. Its source can be cut by the window of its array, or lie outside:
//
//     cells          source              a row below the window
//     +--+--+--+     frame around        +--+--+--+
//     |  |  |  |     what is visible     |  |  |  |  the last row that is visible
//     +--+--+--+                         +========+  source: a bar at this edge
//
// A target of many cells is kept as few rectangles (`pieces`): a row, a column, or the runs of a
// swizzle. Each piece slides out of the strip by itself.
#include <functional>
#include <optional>
#include <vector>

#include "app/stage/scene.h"

namespace tilereel::stage {

// The picture of a global array.
struct Origin {
    Rect window;
    std::function<Rect(const Flight&)> cell_of;  // may lie outside the window
};
using OriginOf = std::function<std::optional<Origin>(ArrayId)>;

// What an object is drawn from. Rectangles in pixels.
struct MovingObject {
    const Leg& leg;
    ColorRole role = ColorRole::kNone;
    Rect source{};                     // the visible part of its cells
    std::vector<Rect> pieces{};        // its target: runs of adjacent cells
    Rect target{};                     // around all pieces
    std::vector<Rect> runs{};          // the same as `source`, as runs of adjacent cells
    std::vector<Rect> from{}, to{};    // its cells, by Leg::flights
    std::vector<bool> is_whole{};      // by Leg::flights: the window cuts nothing off the cell
    bool outside = false;              // none of them is visible: `source` is at the window's edge
    float type_from = 0, type_to = 0;  // font sizes of the values at both ends; 0: not legible
};

// nullopt: the array from which it comes, or its target, is not in the picture.
[[nodiscard]] std::optional<MovingObject> moving_object_of(const Scene& scene,
                                                           const OriginOf& origin_of,
                                                           const Leg& leg);

}  // namespace tilereel::stage
