#pragma once
// Dear ImGui with its OpenGL backend, for the window and for pictures without one.
#include "app/ui/gl/gl.h"

namespace tilereel {

class ImGuiOnOpenGl {
  public:
    // Dear ImGui does not check whether an allocation succeeded. Here a failed allocation throws
    // std::bad_alloc.
    ImGuiOnOpenGl();
    ~ImGuiOnOpenGl();
    ImGuiOnOpenGl(const ImGuiOnOpenGl&) = delete;
    ImGuiOnOpenGl& operator=(const ImGuiOnOpenGl&) = delete;
    [[nodiscard]] bool started() const { return started_; }
    // Calls begin_ui_frame(), makes the font texture if it is missing or outdated, and begins the
    // backend's frame. Call it before ImGui::NewFrame().
    // Returns true if the texture is new, so that everything must be drawn again.
    [[nodiscard]] bool begin_frame();

  private:
    bool started_ = false;
    GlObject font_texture_;
};

}  // namespace tilereel
