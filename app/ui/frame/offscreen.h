#pragma once
// Frames without a window: EGL without a surface, a framebuffer object, and Dear ImGui's OpenGL
// backend. Needs no display. Works with Mesa's software renderer and with GPU drivers that support
// EGL.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/frame/frame_painter.h"
#include "app/ui/gl/image.h"
#include "app/ui/gl/pixel_rect.h"
#include "instrumentation/base/result.h"

namespace tilereel {

class OffscreenRenderer {
  public:
    // Creates a Dear ImGui context; no other may exist. kFailed if EGL or OpenGL 3.3 is not
    // available.
    static Result<std::unique_ptr<OffscreenRenderer>> create(int width, int height);
    ~OffscreenRenderer();

    // Builds one frame without rendering it. `draw` runs between ImGui::NewFrame() and
    // ImGui::Render().
    void build(double frame_seconds, const std::function<void()>& draw);
    // Renders the frame of the last build(), and waits until the renderer has finished. Draws only
    // the pixels that differ from the previous picture, or all of them after forget(). Returns the
    // drawn rectangles.
    const std::vector<PixelRect>& render(Painting painting = Painting::kWhole);
    // Whether parts of the picture are postponed to the next frame.
    [[nodiscard]] bool is_unfinished() const;
    void forget();
    // Builds frames with a time step of 0 until all requested fonts are in the atlas (a few at
    // most), then one with `frame_seconds`, then again some with 0 if that one requested fonts.
    // Renders the last one.
    void draw_settled(double frame_seconds, const std::function<void(double frame_seconds)>& draw);
    [[nodiscard]] Image read() const;
    [[nodiscard]] std::string graphics() const;  // the renderer: "llvmpipe ...", "NVIDIA H100 ..."

  private:
    struct State;
    explicit OffscreenRenderer(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tilereel
