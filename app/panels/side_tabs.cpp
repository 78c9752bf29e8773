// Inspector, variables and source as tabs, for narrow windows and large text.
#include <vector>

#include "app/panels/tab_row.h"

namespace tilereel {
namespace {

constexpr PanelTab kInspector = {
    {"Inspector", "inspector", "The request lane by lane, and the counters"}, SideTab::kRequest};
constexpr PanelTab kRequest = {{"Lanes", "inspector", "The request lane by lane"},
                               SideTab::kRequest};
constexpr PanelTab kCounts = {{"Counts", "counts", "The whole kernel's counters"},
                              SideTab::kCounts};
constexpr PanelTab kSource = {{"Source", "source", "The kernel's source and what each line costs"},
                              SideTab::kSource};
constexpr PanelTab kVariables = {{"Variables", "variables", "The thread's own variables (V)"},
                                 SideTab::kVariables};

// If the inspector has no room for its two parts, each part gets a tab.
std::vector<PanelTab> tabs_of(bool folds, bool variables) {
    std::vector<PanelTab> tabs{kInspector, kSource};
    if (folds) tabs = {kRequest, kCounts, kSource};
    if (variables) tabs.push_back(kVariables);
    return tabs;
}

// The tab to show: `asked` if it exists, otherwise the request.
SideTab chosen_tab(bool folds, bool variables, SideTab asked) {
    if (asked == SideTab::kVariables && !variables) return SideTab::kRequest;
    if (asked == SideTab::kCounts && !folds) return SideTab::kRequest;
    return asked;
}

}  // namespace

Commands draw_side_tabs(const Look& look, const Rect& rect, const Workbench& workbench,
                        PanelMemory& memory) {
    Commands commands;
    draw_card(look, rect);
    const bool folds = inspector_folds(look, rect.h - tab_row_height(look));
    const bool variables = has_locals(workbench);
    const SideTab chosen = chosen_tab(folds, variables, workbench.view().tab);
    const Rect body = draw_tab_row(look, rect, tabs_of(folds, variables), chosen, commands);
    const InspectorPart part = !folds                       ? InspectorPart::kAll
                               : chosen == SideTab::kCounts ? InspectorPart::kCounts
                                                            : InspectorPart::kRequest;
    append(commands, chosen == SideTab::kSource ? draw_source(look, body, workbench, memory)
                     : chosen == SideTab::kVariables
                         ? draw_locals(look, body, workbench, memory)
                         : draw_inspector(look, body, workbench, memory, part));
    return commands;
}

}  // namespace tilereel
