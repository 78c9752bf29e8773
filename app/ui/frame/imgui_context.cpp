#include "app/ui/frame/imgui_context.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "app/ui/frame/ui_frame.h"

namespace tilereel {
namespace {

// The glyphs have one byte a pixel, opacity, which OpenGL shows as white. The backend's own texture
// has four: it takes 33 MB instead of 8 and, at the first frame, a third of a second.
GlObject texture_of_glyphs(ImFontAtlas& atlas) {
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
    GLint former = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &former);
    GlObject texture = make_texture();
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    const GLint channels[] = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, channels);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, pixels);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(former));
    return texture;
}

}  // namespace

ImGuiOnOpenGl::ImGuiOnOpenGl() {
    IMGUI_CHECKVERSION();
    const auto take = [](std::size_t bytes, void*) -> void* {
        void* const memory = std::malloc(bytes);
        if (memory == nullptr && bytes > 0) throw std::bad_alloc();
        return memory;
    };
    ImGui::SetAllocatorFunctions(take, [](void* memory, void*) { std::free(memory); });
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    started_ = ImGui_ImplOpenGL3_Init("#version 330 core");
    // While the atlas has only the built-in font: the backend makes a texture of its own, too.
    if (started_) ImGui_ImplOpenGL3_CreateDeviceObjects();
}

ImGuiOnOpenGl::~ImGuiOnOpenGl() {
    if (started_) ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

bool ImGuiOnOpenGl::begin_frame() {
    const bool rebuilt = begin_ui_frame();
    ImGui_ImplOpenGL3_NewFrame();
    if (!rebuilt && font_texture_.id() != 0) return rebuilt;
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    font_texture_ = texture_of_glyphs(atlas);
    // ImTextureID is a pointer or an integer, depending on the version of Dear ImGui.
    atlas.SetTexID((ImTextureID)(std::intptr_t)font_texture_.id());  // NOLINT
    return rebuilt;
}

}  // namespace tilereel
