#pragma once
// Draws the requests whose values move: each is one object.
#include <span>

#include "app/stage/motion/moving_object.h"

namespace tilereel::stage {

// Draws the objects, the frame around the cells from which the newest one comes and the outline of
// the cells to which it goes. An object is drawn as its cells, with their values while these can be
// read; where it turns or has very many cells, as one bar.
// `pictures`: of arrays. An object passes behind all but that of its own array, so that values of
// two arrays never lie on each other.
void draw_moving_legs(Scene& scene, const OriginOf& origin_of, std::span<const Rect> pictures = {});

}  // namespace tilereel::stage
