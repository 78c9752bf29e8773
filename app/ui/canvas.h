#pragma once
// A framebuffer of our own: unlike a window's, it keeps its pixels from frame to frame.
#include "app/ui/gl.h"
#include "app/ui/pixel_rect.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct Canvas {
    int width = 0, height = 0;  // pixels
    GlObject color, framebuffer;
};

// Bound when it is made. kFailed where the driver gives none of this size.
Result<Canvas> make_canvas(int width, int height);
// Copies a part of it, y downwards, to the same place in the window, which is of the same size.
void copy_to_window(const Canvas& canvas, const PixelRect& part);

}  // namespace tilereel
