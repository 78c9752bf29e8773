#include "app/ui/gl/image.h"

#include <algorithm>

#include "app/ui/gl/gl.h"

namespace tilereel {

Image read_framebuffer(int width, int height) {
    Image image{width, height, {}};
    const std::size_t row = static_cast<std::size_t>(width) * 4;
    image.rgba.resize(row * static_cast<std::size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    // OpenGL's first row is at the bottom.
    for (int top = 0, bottom = height - 1; top < bottom; ++top, --bottom)
        std::swap_ranges(image.rgba.begin() + static_cast<std::ptrdiff_t>(row) * top,
                         image.rgba.begin() + static_cast<std::ptrdiff_t>(row) * (top + 1),
                         image.rgba.begin() + static_cast<std::ptrdiff_t>(row) * bottom);
    for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += 4) image.rgba[alpha] = 255;
    return image;
}

}  // namespace tilereel
