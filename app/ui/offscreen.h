#pragma once
// Frames without a window: EGL without a surface, a framebuffer of our own, Dear ImGui's OpenGL
// backend. Works with no display: on Mesa's software renderer, or on a GPU whose driver brings EGL.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/frame_painter.h"
#include "app/ui/image.h"
#include "app/ui/pixel_rect.h"
#include "instrumentation/base/result.h"

namespace tilereel {

class OffscreenRenderer {
  public:
    // Makes its own Dear ImGui context, which must be the only one. kFailed where there is no EGL.
    static Result<std::unique_ptr<OffscreenRenderer>> create(int width, int height);
    ~OffscreenRenderer();
    OffscreenRenderer(const OffscreenRenderer&) = delete;
    OffscreenRenderer& operator=(const OffscreenRenderer&) = delete;

    // One frame: `draw` runs between ImGui::NewFrame() and ImGui::Render().
    void build(double frame_seconds, const std::function<void()>& draw);
    // What build() left, and waits until it is done. Draws only what differs from the picture
    // before, and returns those parts; after forget() all of it.
    const std::vector<PixelRect>& render(Painting painting = Painting::kWhole);
    // Whether parts of the picture wait for the next frame.
    [[nodiscard]] bool is_unfinished() const;
    void forget();
    // build() and render(), first without time passing until every font that `draw` asks for is
    // baked.
    void draw_settled(double frame_seconds, const std::function<void(double frame_seconds)>& draw);
    [[nodiscard]] Image read() const;
    [[nodiscard]] std::string graphics() const;  // what draws: "llvmpipe ...", "NVIDIA H100 ..."

  private:
    struct State;
    explicit OffscreenRenderer(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tilereel
