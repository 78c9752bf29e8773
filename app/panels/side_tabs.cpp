// Inspector, variables and source behind tabs, where the window is narrow or the text large.
#include <vector>

#include "app/panels/tab_row.h"

namespace tilereel {
namespace {

constexpr PanelTab kInspector = {"Inspector", "side.inspector",
                                 "The request lane by lane, and the counters", 1};
constexpr PanelTab kRequest = {"Lanes", "side.inspector", "The request lane by lane", 1};
constexpr PanelTab kCounts = {"Counts", "side.counts", "The whole kernel's counters", 2};
constexpr PanelTab kSource = {"Source", "side.source",
                              "The kernel's source and what each line costs", 0};
constexpr PanelTab kVariables = {"Variables", "side.variables", "The thread's own variables (V)",
                                 3};

// Where the inspector has no room for its two parts, each has a tab.
std::vector<PanelTab> tabs_of(bool folds, bool variables) {
    std::vector<PanelTab> tabs{kInspector, kSource};
    if (folds) tabs = {kRequest, kCounts, kSource};
    if (variables) tabs.push_back(kVariables);
    return tabs;
}

int chosen_tab(bool folds, bool variables, int asked) {
    if (asked == 0 || (asked == 3 && variables)) return asked;
    return folds && asked == 2 ? 2 : 1;
}

}  // namespace

Commands draw_side_tabs(const Look& look, const Rect& rect, const Workbench& workbench,
                        PanelMemory& memory) {
    Commands commands;
    fill_rect(ImGui::GetWindowDrawList(), rect, look.colors().panel, look.px(10));
    const bool folds = inspector_folds(look, rect.h - tab_row_height(look));
    const bool variables = has_locals(workbench);
    const int chosen = chosen_tab(folds, variables, workbench.view().tab);
    const Rect body = draw_tab_row(look, rect, tabs_of(folds, variables), chosen, commands);
    const InspectorPart part = !folds        ? InspectorPart::kAll
                               : chosen == 2 ? InspectorPart::kCounts
                                             : InspectorPart::kRequest;
    Commands more = chosen == 0   ? draw_source(look, body, workbench, memory)
                    : chosen == 3 ? draw_locals(look, body, workbench, memory)
                                  : draw_inspector(look, body, workbench, memory, part);
    commands.insert(commands.end(), more.begin(), more.end());
    return commands;
}

}  // namespace tilereel
