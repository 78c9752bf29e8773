#pragma once
#include "app/ui/gl/image.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// Puts the picture on the clipboard, by wl-copy (Wayland) or xclip (X11), because GLFW copies only
// text. The error says what to install.
[[nodiscard]] Status copy_picture(const Image& image);

}  // namespace tilereel
