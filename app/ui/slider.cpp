#include "app/ui/slider.h"

#include <algorithm>

#include "app/ui/tip.h"
#include "app/ui/widgets.h"

namespace tilereel {

bool whole_slider(const Look& look, std::string_view name, const Rect& rect, int& value, int least,
                  int most, std::string_view tip) {
    if (measures()) return false;
    const Palette& colors = look.colors();
    register_widget(name, rect);
    ImGui::PushID(name.data(), name.data() + name.size());
    ImGui::SetCursorScreenPos(rect.min());
    ImGui::SetNextItemWidth(rect.w);
    const float sides = std::max(0.0f, (rect.h - ImGui::GetFontSize()) / 2);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(4), sides});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, look.px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_GrabRounding, look.px(4));
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, look.px(14));
    ImGui::PushStyleColor(ImGuiCol_FrameBg, colors.raised);
    ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, mix(colors.raised, colors.ink, 0.08f));
    ImGui::PushStyleColor(ImGuiCol_FrameBgActive, mix(colors.raised, colors.ink, 0.12f));
    ImGui::PushStyleColor(ImGuiCol_SliderGrab, colors.accent);
    ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, colors.accent);
    const bool moved = ImGui::SliderInt("##slider", &value, least, most, "",
                                        ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput);
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive() && !tip.empty()) draw_tip(look, rect, tip);
    ImGui::PopStyleColor(5);
    ImGui::PopStyleVar(4);
    ImGui::PopID();
    return moved;
}

}  // namespace tilereel
