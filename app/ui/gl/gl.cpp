#include "app/ui/gl/gl.h"

#include <algorithm>
#include <array>
#include <string>

namespace tilereel {
namespace {

constexpr const char* kVersion = "#version 330 core\n";

Result<GlObject> compile(GLenum kind, const char* prefix, const char* source) {
    GlObject shader(glCreateShader(kind), [](GLuint id) { glDeleteShader(id); });
    const std::array<const char*, 3> parts = {kVersion, prefix, source};
    glShaderSource(shader.id(), static_cast<GLsizei>(parts.size()), parts.data(), nullptr);
    glCompileShader(shader.id());
    GLint compiled = 0;
    glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &compiled);
    if (compiled != 0) return shader;
    std::array<char, 512> log{};
    glGetShaderInfoLog(shader.id(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    return failed("the graphics driver refuses a shader of Tilereel (" + std::string(log.data()) +
                  "); try LIBGL_ALWAYS_SOFTWARE=1");
}

// `generate`: glGenTextures() or another function that makes names of objects.
GlObject make(PFNGLGENTEXTURESPROC generate, GlObject::Destroy destroy) {
    GLuint id = 0;
    generate(1, &id);
    return {id, destroy};
}

}  // namespace

GlObject make_texture() {
    return make(glGenTextures, [](GLuint id) { glDeleteTextures(1, &id); });
}

GlObject make_buffer() {
    return make(glGenBuffers, [](GLuint id) { glDeleteBuffers(1, &id); });
}

GlObject make_vertex_array() {
    return make(glGenVertexArrays, [](GLuint id) { glDeleteVertexArrays(1, &id); });
}

GlObject make_framebuffer() {
    return make(glGenFramebuffers, [](GLuint id) { glDeleteFramebuffers(1, &id); });
}

Result<GlObject> make_program(const char* prefix, const char* vertex, const char* fragment) {
    const GlObject vertex_shader = TRY(compile(GL_VERTEX_SHADER, "", vertex));
    const GlObject fragment_shader = TRY(compile(GL_FRAGMENT_SHADER, prefix, fragment));
    GlObject program(glCreateProgram(), [](GLuint id) { glDeleteProgram(id); });
    glAttachShader(program.id(), vertex_shader.id());
    glAttachShader(program.id(), fragment_shader.id());
    glLinkProgram(program.id());
    GLint linked = 0;
    glGetProgramiv(program.id(), GL_LINK_STATUS, &linked);
    if (linked != 0) return program;
    return failed(
        "the graphics driver cannot link a shader of Tilereel; try "
        "LIBGL_ALWAYS_SOFTWARE=1");
}

bool set_scissor(const ImVec4& clip) {
    const ImDrawData& data = *ImGui::GetDrawData();
    const ImVec2 scale = data.FramebufferScale;
    const float height = data.DisplaySize.y * scale.y;
    const float x0 = std::max((clip.x - data.DisplayPos.x) * scale.x, 0.0f);
    const float y0 = std::max((clip.y - data.DisplayPos.y) * scale.y, 0.0f);
    const float x1 = (clip.z - data.DisplayPos.x) * scale.x;
    const float y1 = std::min((clip.w - data.DisplayPos.y) * scale.y, height);
    if (x1 <= x0 || y1 <= y0) return false;
    glScissor(static_cast<GLint>(x0), static_cast<GLint>(height - y1),
              static_cast<GLsizei>(x1 - x0), static_cast<GLsizei>(y1 - y0));
    return true;
}

}  // namespace tilereel
