#include "app/ui/tip.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/ui/widget_registry.h"
#include "app/ui/wrap_text.h"

namespace tilereel {

void draw_tip(const Look& look, const Rect& rect, std::string_view tip) {
    constexpr float kWidest = 560, kLeading = 1.4f;  // widest: units; leading: line height as a
                                                     // multiple of the font size
    const float px = look.font_px(14), pad = look.px(10);
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
    const DrawOn on(ImGui::GetForegroundDrawList());
    draw_raised_box(look, box);
    draw_lines({box.x + pad, box.center().y - kLeading * px * more / 2}, lines,
               {Face::kRegular, px, look.colors().ink}, kLeading * px);
}

HoverCard::HoverCard(const Look& look, std::string_view title, const TextStyle& style,
                     std::span<const std::string> lines, float px)
    : look_(look),
      title_(title),
      style_(style),
      lines_(lines),
      px_(px),
      line_(1.5f * px),
      pad_(look.wide()) {}

ImVec2 HoverCard::size() const {
    const float width = std::max(text_width(title_, style_), widest(lines_, Face::kRegular, px_));
    return {width + 2 * pad_, line_ * static_cast<float>(lines_.size() + 1) + 1.5f * pad_};
}

void HoverCard::draw(const Rect& box) const {
    const DrawOn on(ImGui::GetForegroundDrawList());
    draw_raised_box(look_, box);
    ImVec2 at{box.x + pad_, box.y + 0.75f * pad_ + line_ / 2};
    draw_text(at, title_, style_);
    for (const std::string& line : lines_) {
        at.y += line_;
        draw_text(at, line, {Face::kRegular, px_, look_.colors().ink2});
    }
}

}  // namespace tilereel
