#pragma once
// Draws the requests whose values move: each is one object.
#include "app/stage/motion/moving_object.h"

namespace tilereel::stage {

// Draws the objects, the frame around the cells from which the newest one comes and the outline of
// the cells to which it goes. An object is drawn as its cells, with their values while these can be
// read; where it turns or has very many cells, as one bar.
void draw_moving_legs(Scene& scene, const OriginOf& origin_of);

}  // namespace tilereel::stage
