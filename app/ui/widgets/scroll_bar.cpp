#include "app/ui/widgets/scroll_bar.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/widgets.h"

namespace tilereel {

float scroll_in(const Look& look, const Rect& place, float length, float& offset) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0 && !io.KeyShift && ImGui::IsWindowHovered() &&
        place.contains(io.MousePos))
        offset -= io.MouseWheel * look.px(60);
    offset = std::clamp(offset, 0.0f, std::max(0.0f, length - place.h));
    scroll_bar(look, place, length, offset, false);
    return std::round(offset);
}

ScrollArea::ScrollArea(const Look& look, const Rect& place, float length, float& offset)
    : place_(place), top_(place.y - scroll_in(look, place, length, offset)) {
    ImGui::PushClipRect(place.min(), place.max(), true);
}

ScrollArea::~ScrollArea() { ImGui::PopClipRect(); }

bool scroll_bar(const Look& look, const Rect& place, float length, float& offset, bool sideways) {
    const float room = sideways ? place.w : place.h;
    if (length <= room) return false;
    register_widget(sideways ? "scrolls.sideways" : "scrolls", place);
    if (room < 1) return false;  // too small for the bar
    // Dear ImGui draws the bar 3 pixels inside the area that reacts to the mouse.
    constexpr float kAround = 3;
    const float width = look.px(4), far = look.px(2);
    const Rect bar = (sideways ? Rect{place.x, place.bottom() - far - width, place.w, width}
                               : Rect{place.right() - far - width, place.y, width, place.h})
                         .inset(-kAround);
    // The ID is made of the position, because a window may have several scroll bars.
    ImGui::PushID(static_cast<int>(place.x));
    ImGui::PushID(static_cast<int>(place.y));
    const ImGuiID id = ImGui::GetID(sideways ? "sideways" : "bar");
    const auto before = static_cast<ImS64>(std::lround(offset));
    ImS64 scroll = before;
    const bool held = ImGui::ScrollbarEx(
        {bar.min(), bar.max()}, id, sideways ? ImGuiAxis_X : ImGuiAxis_Y, &scroll,
        static_cast<ImS64>(std::lround(room)), static_cast<ImS64>(std::lround(length)), 0);
    ImGui::PopID();
    ImGui::PopID();
    if (scroll != before) offset = std::clamp(static_cast<float>(scroll), 0.0f, length - room);
    return held;
}

}  // namespace tilereel
