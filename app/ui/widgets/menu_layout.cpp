#include "app/ui/widgets/menu_layout.h"

#include <algorithm>
#include <cmath>

#include "app/ui/draw/wrap_text.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {

MenuLayout::MenuLayout(const Look& from, const Rect& chip, std::span<const MenuRow> rows)
    : look(from), px(look.font_px(15)), detail_px(look.font_px(13)), pad(look.wide()) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = look.gap();
    bool details = false;
    float width = chip.w;
    for (const MenuRow& row : rows) {
        details |= !row.detail.empty();
        float width_of_actions = 0;
        for (const MenuAction& action : row.actions) width_of_actions += action_width(action);
        actions = std::max(actions, width_of_actions);
        const float title =
            text_width(row.title, Face::kSemiBold, px) + text_width(row.value, Face::kMono, px);
        width = std::max(width, title + sample_width(row) + (row.value.empty() ? 3 : 5) * pad);
    }
    if (details) width = std::max(width, look.px(560) * std::sqrt(look.text));
    width = std::min(width + actions, screen.x - 2 * gap);
    detail_width = width - actions - 4 * pad;
    length = 0;
    for (const MenuRow& row : rows) {
        tops.push_back(length);
        length += height_of(row);
    }
    const float below = screen.y - chip.bottom() - look.wide(), above = chip.y - look.wide();
    rect = {chip.x, chip.bottom() + look.tight(), width,
            std::min(length + gap, std::max(below, above))};
    if (rect.h > below) rect.y = chip.y - look.tight() - rect.h;  // opens upwards
    rect.x = std::clamp(rect.x, 0.0f, std::max(0.0f, screen.x - rect.w - gap));
    body = {rect.x, rect.y + gap / 2, rect.w, rect.h - gap};
}

float MenuLayout::line_height() const { return std::max(look.px(32), std::round(1.9f * px)); }

float MenuLayout::height_of(const MenuRow& row) const {
    const float line = line_height();
    if (row.heading && row.actions.empty()) return std::round(1.7f * px);
    if (row.detail.empty()) return line;
    const auto lines =
        static_cast<float>(wrap_text(row.detail, detail_width, Face::kRegular, detail_px).size());
    return std::round(1.5f * px + lines * kMenuDetailLeading * detail_px + look.pad());
}

float MenuLayout::action_width(const MenuAction& action) const {
    return button_width(look, action.label, 20) + look.tight();
}

float MenuLayout::sample_width(const MenuRow& row) const { return row.sample ? 3 * px : 0; }

}  // namespace tilereel
