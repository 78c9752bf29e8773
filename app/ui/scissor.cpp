#include "app/ui/scissor.h"

#include <algorithm>

#include "app/ui/gl.h"

namespace tilereel {

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
