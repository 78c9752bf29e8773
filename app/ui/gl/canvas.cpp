#include "app/ui/gl/canvas.h"

namespace tilereel {

Result<Canvas> make_canvas(int width, int height) {
    Canvas canvas{width, height, make_texture(), make_framebuffer()};
    glBindTexture(GL_TEXTURE_2D, canvas.color.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas.framebuffer.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, canvas.color.id(),
                           0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return failed(
            "the graphics driver cannot draw a picture of this size; choose a smaller --size");
    return canvas;
}

void copy_to_window(const Canvas& canvas, const PixelRect& part) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas.framebuffer.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    const int bottom = canvas.height - part.bottom, top = canvas.height - part.top;
    glBlitFramebuffer(part.left, bottom, part.right, top, part.left, bottom, part.right, top,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace tilereel
