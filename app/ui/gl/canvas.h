#pragma once
// A framebuffer object that keeps its pixels from frame to frame; the window's back buffer may not.
#include "app/ui/gl/gl.h"
#include "app/ui/gl/pixel_rect.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct Canvas {
    int width = 0, height = 0;  // pixels
    GlObject color, framebuffer;
};

// The new framebuffer stays bound. kFailed if the driver cannot create a framebuffer of this size.
Result<Canvas> make_canvas(int width, int height);
// Copies `part` (y downwards) to the same position in the window's back buffer, which must have the
// canvas's size.
void copy_to_window(const Canvas& canvas, const PixelRect& part);

}  // namespace tilereel
