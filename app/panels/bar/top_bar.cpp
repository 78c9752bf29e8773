// Logo, modes and the controls for the recorded launch. Items that do not fit move into a menu.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/bar/top_bar_items.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/tab_row.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/keys.h"
#include "app/ui/widgets/menu.h"

namespace tilereel {
namespace {

// The items of a mode, and the order in which they move into the menu when space is short.
struct BarPlan {
    std::vector<BarItem> items, leaving;
};
const BarPlan& plan_of(const Workbench& workbench) {
    using enum BarItem;
    // A program has no TILE or PAD.
    static const BarPlan kOfProgram = {
        {kProgram, kLaunch, kBlock, kGpu, kCompare, kOpen, kTheme, kText, kFull, kHelp},
        {kFull, kTheme, kText, kOpen, kHelp, kGpu, kBlock, kCompare, kLaunch}};
    static const BarPlan kReplay = {
        {kKernel, kExtents, kTile, kPad, kGpu, kCompare, kOpen, kTheme, kText, kFull, kHelp},
        {kOpen, kFull, kGpu, kTheme, kText, kHelp, kExtents, kCompare, kPad, kTile}};
    static const BarPlan kRaces = {{kRace, kRaceScale, kTheme, kText, kFull, kHelp},
                                   {kFull, kTheme, kText, kHelp, kRaceScale}};
    static const BarPlan kOthers = {{kTheme, kText, kFull, kHelp}, {kFull, kTheme, kText, kHelp}};
    // Where the time goes: what changes the launch.
    static const BarPlan kTimes = {{kKernel, kTile, kPad, kGpu, kTheme, kText, kFull, kHelp},
                                   {kFull, kTheme, kText, kHelp, kGpu, kPad, kTile}};
    static const BarPlan kTimesOfProgram = {{kProgram, kLaunch, kGpu, kTheme, kText, kFull, kHelp},
                                            {kFull, kTheme, kText, kHelp, kGpu, kLaunch}};
    // Also while the first launch of a program is on its way: it has no TILE and no PAD.
    const bool of_program =
        workbench.is_of_program() || find_kernel(workbench.request().kernel) == nullptr;
    if (workbench.view().mode == WindowMode::kRace) return kRaces;
    if (workbench.view().mode == WindowMode::kTime) return of_program ? kTimesOfProgram : kTimes;
    if (workbench.view().mode != WindowMode::kReplay) return kOthers;
    return of_program ? kOfProgram : kReplay;
}

float name_px(const Look& look) { return look.font_px(look.narrow ? 18 : 20); }

constexpr const char* kMoreList = "bar.more.list";

// Whether a key has asked for one of these items.
bool holds_wanted_control(const std::vector<BarItem>& items) {
    return std::ranges::any_of(items, [](BarItem item) {
        return std::ranges::count(names_of(item), wanted_control()) > 0;
    });
}

// The menu with the items that did not fit. A key that opens one of them opens the menu, too.
void draw_more(Bar& bar, const Rect& button, const std::vector<BarItem>& items) {
    const Look& look = bar.look;
    bool& by_key = bar.memory.parts().more_by_key;
    if (text_button(look, "bar.more", button, "\xe2\x80\xa6", ImGui::IsPopupOpen(kMoreList),
                    "More controls")) {
        ImGui::OpenPopup(kMoreList);
        by_key = false;
    }
    if (holds_wanted_control(items)) {
        ImGui::OpenPopup(kMoreList);
        by_key = true;
    }
    const float gap = look.gap();
    float width = 0;
    for (const BarItem item : items) {
        const float words = text_width(text_of(item), Face::kRegular, look.font_px(14));
        width = std::max(width, width_of(bar, item) + (words > 0 ? words + look.wide() : 0));
    }
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    Rect rect{0, button.bottom() + look.tight(), width + 2 * gap,
              static_cast<float>(items.size()) * (bar.control + gap) + gap};
    rect.h = std::min(rect.h, screen.y - rect.y - gap);
    rect.x = std::max(gap, std::min(button.right(), screen.x - gap) - rect.w);
    // A control of the bar that a key has opened since replaces the menu.
    const bool is_over = by_key && keys_claimed() && !holds_wanted_control(items);
    if (is_over ? !begin_popup(kMoreList, rect) : !begin_menu(kMoreList, rect)) return;
    float y = ImGui::GetCursorScreenPos().y + gap;
    for (const BarItem item : items) {
        const bool chip = text_of(item)[0] == '\0';
        const Rect place{rect.x + gap, y, chip ? width : width_of(bar, item), bar.control};
        draw_item(bar, item, place);
        if (!chip)
            draw_text({place.right() + look.wide(), place.center().y}, text_of(item),
                      {Face::kRegular, look.font_px(14), look.colors().ink2});
        y += bar.control + gap;
    }
    // A menu that a key opened closes with the control for which it was opened.
    if (is_over || (by_key && keys_claimed_by(kMoreList) && !focus_wanted())) {
        drop_claim(kMoreList);
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

// Draws four squares in the role colours, and the name if `word`. Returns the right edge.
float draw_logo(const Look& look, const Rect& bar, bool word) {
    const Palette& colors = look.colors();
    const float size = look.px(7), pitch = look.px(9);
    const float x = bar.x + look.px(20), y = bar.center().y - look.gap();
    fill_rect({x + pitch, y, size, size}, colors.b, look.px(1.5f));
    fill_rect({x, y + pitch, size, size}, colors.a, look.px(1.5f));
    fill_rect({x + pitch, y + pitch, size, size}, colors.c, look.px(1.5f));
    const float right = x + pitch + size;
    if (!word) return right;
    return right + look.px(10) +
           draw_text({right + look.px(10), bar.center().y}, "Tilereel",
                     {Face::kBold, name_px(look), colors.ink});
}

constexpr std::array<TabWord, 5> kModes = {{
    {"Replay", "replay", "Replay a recorded kernel (1)"},
    {"Race", "race", "Race kernels at full speed (2)"},
    {"Lessons", "lessons", "Lessons for a class (3)"},
    {"Patterns", "patterns", "Try an index expression: banks, wavefronts, sectors (4)"},
    {"Time", "time", "Where the time goes, estimated (5)"},
}};
constexpr std::array<WindowMode, 5> kModeOf = {WindowMode::kReplay, WindowMode::kRace,
                                               WindowMode::kLessons, WindowMode::kPatterns,
                                               WindowMode::kTime};

TabType mode_type(const Look& look) {
    return {look.font_px(look.narrow ? 14 : 16), look.px(look.narrow ? 16 : 28)};
}

void draw_modes(Bar& bar, const Rect& rect) {
    const auto now = std::ranges::find(kModeOf, bar.workbench.view().mode) - kModeOf.begin();
    const int clicked = draw_tabs(bar.look, "tab", rect, kModes, static_cast<std::size_t>(now),
                                  mode_type(bar.look));
    if (clicked >= 0) bar.commands.push_back(SetMode{kModeOf[static_cast<std::size_t>(clicked)]});
}

// The width of the items, with the button of the menu if there are others.
float width_of(const Bar& bar, const std::vector<BarItem>& items, bool others) {
    float width = others ? bar.control : -bar.look.gap();
    for (const BarItem item : items) width += width_of(bar, item) + bar.look.gap();
    return width;
}

// The items that fit into `room` pixels. The other items go into the menu.
std::vector<BarItem> items_that_fit(const Bar& bar, float room) {
    const BarPlan& plan = plan_of(bar.workbench);
    std::vector<BarItem> staying = plan.items;
    for (const BarItem item : plan.leaving) {
        if (width_of(bar, staying, staying.size() < plan.items.size()) <= room) break;
        std::erase(staying, item);
    }
    return staying;
}

// All controls of the bar and of its menu, from left to right.
std::vector<std::string> tab_order(const std::vector<BarItem>& items) {
    std::vector<std::string> order;
    for (const BarItem item : items)
        for (std::string& name : names_of(item)) order.push_back(std::move(name));
    return order;
}

}  // namespace

Commands draw_top_bar(const Look& look, const Rect& rect, const Workbench& workbench,
                      PanelMemory& memory) {
    fill_rect(rect, look.colors().panel);
    set_tab_order(tab_order(plan_of(workbench).items));
    Bar bar{look, workbench, memory, 0, false, {}};
    bar.control =
        std::round(std::min(rect.h - look.pad(), look.px(36) + look.font_px(15) - look.px(15)));
    const float gap = look.gap();
    const float word = look.px(10) + text_width("Tilereel", Face::kBold, name_px(look));
    const float modes = tabs_width(kModes, mode_type(look));
    const float logo = look.px(20 + 16);
    // The name "Tilereel" is left out if fewer than 6 controls fit beside it.
    float left = logo + word + look.px(look.narrow ? 18 : 32) + modes + look.pad();
    std::vector<BarItem> items = items_that_fit(bar, rect.w - gap - left);
    const std::vector<BarItem>& all = plan_of(workbench).items;
    if (look.narrow && items.size() < all.size()) {
        bar.short_form = true;
        items = items_that_fit(bar, rect.w - gap - left);
    }
    const bool named = items.size() >= std::min<std::size_t>(6, all.size());
    if (!named) {
        left -= word;
        items = items_that_fit(bar, rect.w - gap - left);
    }
    const float logo_right = draw_logo(look, rect, named);
    draw_modes(bar, {logo_right + look.px(look.narrow ? 18 : 32), rect.y, modes, rect.h});

    std::vector<BarItem> moved;
    for (const BarItem item : all)
        if (std::ranges::count(items, item) == 0) moved.push_back(item);
    const float width = width_of(bar, items, !moved.empty());
    const float y = std::round(rect.center().y - bar.control / 2);
    float x = std::max(rect.right() - gap - width, left);
    for (const BarItem item : items) {
        float wide = width_of(bar, item);
        if (item == BarItem::kKernel || item == BarItem::kProgram ||
            item == BarItem::kRace)  // the last items to shrink: their titles are cut
            wide = std::min(wide, std::max(bar.control, rect.right() - gap - x - (width - wide)));
        draw_item(bar, item, {std::round(x), y, std::round(wide), bar.control});
        x += wide + gap;
    }
    if (!moved.empty()) draw_more(bar, {std::round(x), y, bar.control, bar.control}, moved);
    return std::move(bar.commands);
}

}  // namespace tilereel
