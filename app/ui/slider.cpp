#include "app/ui/slider.h"

#include <algorithm>

#include "app/ui/tip.h"
#include "app/ui/widgets.h"

namespace tilereel {

bool whole_slider(const Look& look, std::string_view name, const Rect& rect, int& value, int least,
                  int most, std::string_view tip) {
    if (measures()) return false;
    register_widget(name, rect);
    ImGui::PushID(name.data(), name.data() + name.size());
    ImGui::SetCursorScreenPos(rect.min());
    ImGui::SetNextItemWidth(rect.w);
    const float sides = std::max(0.0f, (rect.h - ImGui::GetFontSize()) / 2);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.tight(), sides});
    const bool moved = ImGui::SliderInt("##slider", &value, least, most, "",
                                        ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput);
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive() && !tip.empty()) draw_tip(look, rect, tip);
    ImGui::PopStyleVar();
    ImGui::PopID();
    return moved;
}

}  // namespace tilereel
