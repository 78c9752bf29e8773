#include "app/panels/tab_row.h"

#include <algorithm>
#include <cmath>

#include "app/panels/measure.h"
#include "app/ui/widgets.h"

namespace tilereel {

float tab_row_height(const Look& look) { return std::round(row_px(look, 36)) + look.px(1); }

Rect draw_tab_row(const Look& look, const Rect& rect, std::span<const PanelTab> tabs,
                  SideTab chosen, Commands& commands) {
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float head = std::round(row_px(look, 36));
    const float px = type_px(look, 14);
    float words = 0;
    for (const PanelTab& tab : tabs) words += text_width(tab.name, Face::kSemiBold, px);
    const auto gaps = static_cast<float>(std::max<std::size_t>(tabs.size(), 2) - 1);
    const float gap = std::min(look.px(20), (rect.w - look.px(32) - words) / gaps);
    float x = rect.x + look.px(16);
    const float middle = rect.y + head * 0.56f;
    for (const PanelTab& tab : tabs) {
        const float width = text_width(tab.name, Face::kSemiBold, px);
        const bool current = chosen == tab.tab;
        const Touch touch =
            touch_area(look, tab.widget, {x - gap / 2 + 1, rect.y, width + gap - 2, head}, tab.tip);
        draw_text(list, {x, middle}, tab.name,
                  {current ? Face::kSemiBold : Face::kRegular, px,
                   current || touch.hovered ? colors.ink : colors.ink2});
        if (current)
            fill_rect(list, {x, rect.y + head - look.px(3), width, look.px(3)}, colors.accent,
                      look.px(1.5f));
        if (touch.clicked) commands.push_back(SelectTab{tab.tab});
        x += width + gap;
    }
    list->AddRectFilled({rect.x, rect.y + head}, {rect.right(), rect.y + head + look.px(1)},
                        colors.line);
    const float top = rect.y + tab_row_height(look);
    return {rect.x, top, rect.w, rect.bottom() - top};
}

}  // namespace tilereel
