#pragma once
// Owners of OpenGL 3.3 objects; the destructor deletes the object. The context in which it was made
// must be current then.
#include <glad/gl.h>
#include <imgui.h>

#include <utility>

#include "instrumentation/base/result.h"

namespace tilereel {

class GlObject {
  public:
    using Destroy = void (*)(GLuint);
    GlObject() = default;
    GlObject(GLuint id, Destroy destroy) : id_(id), destroy_(destroy) {}
    ~GlObject() {
        if (id_ != 0) destroy_(id_);
    }
    GlObject(GlObject&& other) noexcept
        : id_(std::exchange(other.id_, 0)), destroy_(other.destroy_) {}
    GlObject& operator=(GlObject&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(destroy_, other.destroy_);
        return *this;
    }
    GlObject(const GlObject&) = delete;
    GlObject& operator=(const GlObject&) = delete;
    [[nodiscard]] GLuint id() const { return id_; }

  private:
    GLuint id_ = 0;
    Destroy destroy_ = nullptr;
};

[[nodiscard]] GlObject make_texture();
[[nodiscard]] GlObject make_buffer();
[[nodiscard]] GlObject make_vertex_array();
[[nodiscard]] GlObject make_framebuffer();
// `prefix` is inserted between the #version line and the fragment source. The error contains the
// driver's log.
Result<GlObject> make_program(const char* prefix, const char* vertex, const char* fragment);
// For a callback in a draw list: restricts drawing to `clip` (left, top, right, bottom, in pixels
// from the display's top left corner). False if nothing of it is on the display.
bool set_scissor(const ImVec4& clip);

}  // namespace tilereel
