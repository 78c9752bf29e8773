#include "app/panels/tab_row.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/measure.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

struct AskedTab {
    int direction = 0, frame = 0;
};
AskedTab g_asked_tab;

// The tab that a key has asked for; -1: none.
int tab_by_key(std::string_view bar, std::size_t chosen, std::size_t tabs) {
    if (g_asked_tab.direction == 0 || bar == "tab" || bar == "program" || measures()) return -1;
    const auto [direction, frame] = std::exchange(g_asked_tab, {});
    if (ImGui::GetFrameCount() - frame > 1) return -1;
    return static_cast<int>((chosen + tabs + static_cast<std::size_t>(direction)) % tabs);
}

}  // namespace

void ask_for_tab(int direction) { g_asked_tab = {direction, ImGui::GetFrameCount()}; }

float tabs_width(std::span<const TabWord> tabs, const TabType& type) {
    float width = -type.gap;
    for (const TabWord& tab : tabs)
        width += text_width(tab.word, Face::kSemiBold, type.px) + type.gap;
    return width;
}

int draw_tabs(const Look& look, const std::string& bar, const Rect& rect,
              std::span<const TabWord> tabs, std::size_t chosen, const TabType& type) {
    constexpr float kLeastGap = 0.9f;  // multiple of the font size
    const Palette& colors = look.colors();
    const float least = tabs_width(tabs, {type.px, std::min(type.gap, kLeastGap * type.px)});
    const float px = type.px * std::min(1.0f, rect.w / least);
    const auto gaps = static_cast<float>(std::max<std::size_t>(tabs.size(), 2) - 1);
    const float gap = std::min(type.gap, (rect.w - tabs_width(tabs, {px, 0})) / gaps);
    float x = rect.x;
    int clicked = tab_by_key(bar, chosen, tabs.size());
    const PlacedFont placed = placed_font(Face::kSemiBold, px);
    ImGui::PushFont(placed.font);
    ImGui::SetWindowFontScale(placed.size / placed.font->FontSize);
    // A tab is as wide as its label, rounded up, its padding and a pixel. Its label is not drawn:
    // Dear ImGui has one face and one colour for all tabs.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {(gap - 1.5f) / 2, (rect.h - placed.size) / 2});
    ImGui::PushStyleColor(ImGuiCol_Text, 0);
    ImGui::SetCursorScreenPos({x - gap / 2, rect.y});
    ImGui::BeginTabBar(bar.c_str(), ImGuiTabBarFlags_NoTooltip);
    for (std::size_t i = 0; i < tabs.size(); ++i) {
        const TabWord& tab = tabs[i];
        const float width = text_width(tab.word, Face::kSemiBold, px);
        const bool on = i == chosen;
        const Interaction touch = interact(
            look, bar + "." + std::string(tab.name.empty() ? tab.word : tab.name),
            {x - gap / 2, rect.y, width + gap, rect.h}, tab.tip, [&](ImVec2) {
                if (ImGui::BeginTabItem(tab.word, nullptr, on ? ImGuiTabItemFlags_SetSelected : 0))
                    ImGui::EndTabItem();
                return ImGui::IsItemActivated();
            });
        draw_text({x, rect.center().y}, tab.word,
                  {on ? Face::kSemiBold : Face::kRegular, px,
                   on || touch.hovered ? colors.ink : colors.ink2});
        if (on)
            fill_rect({x, rect.bottom() - look.px(3), width, look.px(3)}, colors.accent,
                      look.px(1.5f));
        if (touch.clicked) clicked = static_cast<int>(i);
        x += width + gap;
    }
    ImGui::EndTabBar();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    ImGui::SetWindowFontScale(1);
    ImGui::PopFont();
    return clicked;
}

Rect draw_tabbed_card(const Look& look, const std::string& bar, const Rect& card,
                      std::span<const TabWord> tabs, std::size_t current,
                      const std::function<void(int)>& chosen) {
    draw_card(look, card);
    const float pad = look.pad(), height = tab_row_height(look);
    const int clicked =
        draw_tabs(look, bar, {card.x + pad, card.y + look.tight(), card.w - 2 * pad, height}, tabs,
                  current, {type_px(look, 14), look.margin()});
    if (clicked >= 0) chosen(clicked);
    return {card.x, card.y + height, card.w, card.h - height};
}

float tab_row_height(const Look& look) { return std::round(row_px(look, 36)) + look.px(1); }

Rect draw_tab_row(const Look& look, const Rect& rect, std::span<const PanelTab> tabs,
                  SideTab chosen, Commands& commands) {
    const float height = tab_row_height(look), pad = look.pad();
    std::vector<TabWord> words;
    for (const PanelTab& each : tabs) words.push_back(each.tab);
    const auto at = std::ranges::find(tabs, chosen, &PanelTab::shows) - tabs.begin();
    const int clicked =
        draw_tabs(look, "side", {rect.x + pad, rect.y, rect.w - 2 * pad, height - look.line()},
                  words, static_cast<std::size_t>(at), {type_px(look, 14), look.px(20)});
    if (clicked >= 0) commands.push_back(SelectTab{tabs[static_cast<std::size_t>(clicked)].shows});
    draw_rule(look, {rect.x, rect.y + height - look.line()}, rect.w);
    return {rect.x, rect.y + height, rect.w, rect.h - height};
}

}  // namespace tilereel
