// Inspector and source behind two tabs, where the window is narrow or the text large.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/measure.h"
#include "app/panels/panels.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

struct SideTab {
    const char *name, *widget, *tip;
    int tab;  // SelectTab
};
constexpr std::array<SideTab, 2> kSideTabs = {{
    {"Inspector", "side.inspector", "The request lane by lane, and the counters", 1},
    {"Source", "side.source", "The kernel's source and what each line costs", 0},
}};

}  // namespace

Commands draw_side_tabs(const Look& look, const Rect& rect, const Workbench& workbench,
                        PanelMemory& memory) {
    Commands commands;
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    fill_rect(list, rect, colors.panel, look.px(10));
    const float head = std::round(row_px(look, 36));
    const float px = type_px(look, 14);
    float words = 0;
    for (const SideTab& tab : kSideTabs) words += text_width(tab.name, Face::kSemiBold, px);
    const float gap = std::min(look.px(20), (rect.w - look.px(32) - words));
    float x = rect.x + look.px(16);
    const float middle = rect.y + head * 0.56f;
    for (const SideTab& tab : kSideTabs) {
        const float width = text_width(tab.name, Face::kSemiBold, px);
        const bool current = workbench.view().tab == tab.tab;
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
    const float top = rect.y + head + look.px(1);
    const Rect body{rect.x, top, rect.w, rect.bottom() - top};
    Commands more = workbench.view().tab == 0 ? draw_source(look, body, workbench, memory)
                                              : draw_inspector(look, body, workbench, memory);
    commands.insert(commands.end(), more.begin(), more.end());
    return commands;
}

}  // namespace tilereel
