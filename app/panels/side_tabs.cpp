// Inspector and source behind two tabs, where the window is narrow or the text large.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/measure.h"
#include "app/panels/panels.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

struct SideTab {
    const char *name, *widget, *tip;
    int tab;  // SelectTab
};
constexpr SideTab kInspector = {"Inspector", "side.inspector",
                                "The request lane by lane, and the counters", 1};
constexpr SideTab kRequest = {"Lanes", "side.inspector", "The request lane by lane", 1};
constexpr SideTab kCounts = {"Counts", "side.counts", "The whole kernel's counters", 2};
constexpr SideTab kSource = {"Source", "side.source",
                             "The kernel's source and what each line costs", 0};

// Where the inspector has no room for its two parts, each has a tab.
std::vector<SideTab> tabs_of(bool folds) {
    if (folds) return {kRequest, kCounts, kSource};
    return {kInspector, kSource};
}

}  // namespace

Commands draw_side_tabs(const Look& look, const Rect& rect, const Workbench& workbench,
                        PanelMemory& memory) {
    Commands commands;
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    fill_rect(list, rect, colors.panel, look.px(10));
    const float head = std::round(row_px(look, 36));
    const float px = type_px(look, 14);
    const float top = rect.y + head + look.px(1);
    const Rect body{rect.x, top, rect.w, rect.bottom() - top};
    const bool folds = inspector_folds(look, body.h);
    const std::vector<SideTab> tabs = tabs_of(folds);
    const int chosen = folds || workbench.view().tab == 0 ? workbench.view().tab : 1;
    float words = 0;
    for (const SideTab& tab : tabs) words += text_width(tab.name, Face::kSemiBold, px);
    const float gap =
        std::min(look.px(20), (rect.w - look.px(32) - words) / static_cast<float>(tabs.size() - 1));
    float x = rect.x + look.px(16);
    const float middle = rect.y + head * 0.56f;
    for (const SideTab& tab : tabs) {
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
    const InspectorPart part = !folds        ? InspectorPart::kAll
                               : chosen == 2 ? InspectorPart::kCounts
                                             : InspectorPart::kRequest;
    Commands more = chosen == 0 ? draw_source(look, body, workbench, memory)
                                : draw_inspector(look, body, workbench, memory, part);
    commands.insert(commands.end(), more.begin(), more.end());
    return commands;
}

}  // namespace tilereel
