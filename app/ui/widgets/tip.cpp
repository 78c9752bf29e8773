#include "app/ui/widgets/tip.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "app/ui/draw/wrap_text.h"
#include "app/ui/widgets/keys.h"
#include "app/ui/widgets/widget_registry.h"

namespace tilereel {
namespace {

struct TipPointer {
    ImVec2 at{-FLT_MAX, -FLT_MAX};
    bool moved = false;  // since the last key
};
TipPointer g_pointer;

void begin_tooltip(const Rect& box) {
    ImGui::SetNextWindowPos(box.min());
    ImGui::SetNextWindowSize({box.w, box.h});
    ImGui::BeginTooltip();
    // Dear ImGui hides a new tooltip for one frame to measure it. Here its size is known.
    ImGui::GetCurrentWindow()->Hidden = false;
}

}  // namespace

void follow_pointer_for_tips() {
    if (ImGui::GetCurrentContext() == nullptr) return;
    const ImVec2 at = ImGui::GetIO().MousePos;
    const bool was_here = ImGui::IsMousePosValid(&g_pointer.at);
    if (key_in_frame()) g_pointer.moved = false;
    if (was_here && (at.x != g_pointer.at.x || at.y != g_pointer.at.y)) g_pointer.moved = true;
    g_pointer.at = at;
}

bool tips_rest(const Look& look) { return !look.tips || !g_pointer.moved; }

float tip_type(float px) {
    constexpr float kLines = 32;  // of the window's height
    return std::min(px, ImGui::GetIO().DisplaySize.y / kLines);
}

void draw_tip(const Look& look, const Rect& rect, std::string_view tip) {
    if (tips_rest(look)) return;
    constexpr float kWidest = 560, kLeading = 1.4f;  // widest: units; leading: line height as a
                                                     // multiple of the font size
    const float px = tip_type(look.font_px(14)), pad = look.px(10);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float most = std::min(look.font_px(kWidest), screen.x - look.pad()) - 2 * pad;
    const std::vector<std::string_view> lines = wrap_text(tip, most, Face::kRegular, px);
    const float width = std::min(most, widest(lines, Face::kRegular, px)) + 2 * pad;
    const float more = static_cast<float>(lines.size()) - 1;
    const float height = std::round(px * (1.9f + kLeading * more));
    Rect box{std::round(rect.center().x - width / 2), rect.bottom() + look.snug(), width, height};
    box.x = std::clamp(box.x, look.gap(), std::max(look.gap(), screen.x - width - look.gap()));
    if (rect.center().y > screen.y / 2 || box.bottom() > screen.y - look.tight())
        box.y = std::max(look.tight(), rect.y - look.snug() - height);
    register_widget("tip", box);
    begin_tooltip(box);
    draw_lines({box.x + pad, box.center().y - kLeading * px * more / 2}, lines,
               {Face::kRegular, px, look.colors().ink}, kLeading * px);
    ImGui::EndTooltip();
}

ImVec2 HoverCard::size() const {
    const float width = std::max(text_width(title, style), widest(lines, Face::kRegular, px));
    return {width + 2 * look.wide(), leading() * static_cast<float>(lines.size()) + foot()};
}

void HoverCard::draw(Rect box) const {
    if (tips_rest(look)) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float edge = look.tight();
    box.x = std::max(edge, std::min(box.x, screen.x - edge - box.w));
    box.y = std::max(edge, std::min(box.y, screen.y - edge - box.h));
    register_widget("card", box);
    begin_tooltip(box);
    ImVec2 at{box.x + look.wide(), box.y + foot() / 2};
    draw_text(at, title, style);
    for (const std::string& line : lines) {
        at.y += leading();
        draw_text(at, line, {Face::kRegular, px, look.colors().ink2});
    }
    ImGui::EndTooltip();
}

}  // namespace tilereel
