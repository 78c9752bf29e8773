#include "app/ui/cells/magnifier.h"

#include <algorithm>

#include "app/ui/cells/cell_renderer.h"
#include "app/ui/draw/draw.h"
#include "app/ui/gl/gl.h"

namespace tilereel {

struct Magnifier::State {
    GlObject texture;
    int edge = 0;      // edge length in framebuffer pixels
    int x = 0, y = 0;  // lower left corner in the framebuffer
    static void copy(const ImDrawList*, const ImDrawCmd* command) {
        const State& state = *static_cast<const State*>(command->UserCallbackData);
        glBindTexture(GL_TEXTURE_2D, state.texture.id());
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, state.x, state.y, state.edge, state.edge);
    }
    void resize(int pixels) {
        if (texture.id() != 0 && edge == pixels) return;
        if (texture.id() == 0) texture = make_texture();
        edge = pixels;
        glBindTexture(GL_TEXTURE_2D, texture.id());
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, edge, edge, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
};

Magnifier::Magnifier() : state_(std::make_unique<State>()) {}
Magnifier::~Magnifier() = default;
Magnifier::Magnifier(Magnifier&&) noexcept = default;
Magnifier& Magnifier::operator=(Magnifier&&) noexcept = default;

void Magnifier::draw(ImDrawList& list, const Look& look, ImVec2 center, float radius, float zoom) {
    if (CellRenderer::current() == nullptr) return;
    const ImGuiIO& io = ImGui::GetIO();
    const float scale = io.DisplayFramebufferScale.x;
    const float half = radius / zoom;
    // The copied square stays inside the window.
    const float x = std::clamp(center.x, half, std::max(half, io.DisplaySize.x - half));
    const float y = std::clamp(center.y, half, std::max(half, io.DisplaySize.y - half));
    State& state = *state_;
    state.resize(std::max(1, static_cast<int>(2 * half * scale)));
    state.x = static_cast<int>((x - half) * scale);
    state.y = static_cast<int>((io.DisplaySize.y - y - half) * scale);
    list.AddCallback(&State::copy, &state);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    // The lens is centred on the pointer but moved so that it stays inside the window.
    const ImVec2 at{std::clamp(center.x, radius, std::max(radius, io.DisplaySize.x - radius)),
                    std::clamp(center.y, radius, std::max(radius, io.DisplaySize.y - radius))};
    const ImVec2 from{at.x - radius, at.y - radius}, to{at.x + radius, at.y + radius};
    // ImTextureID is a pointer or an integer, depending on the version of Dear ImGui.
    const auto texture = (ImTextureID)(std::intptr_t)state.texture.id();  // NOLINT
    list.AddImageRounded(texture, from, to, {0, 1}, {1, 0}, IM_COL32_WHITE, radius);
    list.AddCircle(at, radius, look.colors().accent, 96, look.px(4));
}

}  // namespace tilereel
