// The overlays that are read: all keys, a kernel's introduction, and what is still to come.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/overlay.h"
#include "app/panels/paragraph.h"

namespace tilereel {
namespace {

struct KeyHelp {
    const char *keys, *does;
};
constexpr std::array<KeyHelp, 20> kKeys = {{
    {"Space", "play, pause"},
    {"Left  Right", "one step back, on"},
    {"Shift+Left  Shift+Right", "one phase back, on"},
    {"Page Up  Page Down", "one phase back, on (a presenter's remote)"},
    {"Home  End", "to the start, to the end"},
    {"[  ]", "slower, faster"},
    {"P", "padding off, on"},
    {"C", "compare (comes with a later version)"},
    {"R", "race this kernel and its twin at full speed"},
    {"T", "dark theme, light theme"},
    {"+  -", "larger text, smaller text"},
    {"F  F11", "full screen"},
    {"1  2  3  4", "replay, race, lessons, patterns"},
    {"0", "zoom and place of the picture as they were"},
    {"Mouse wheel", "zoom the picture, scroll a panel"},
    {"Drag the picture", "move it"},
    {"Click on a block", "watch that block"},
    {"Drag the timeline", "go to any tick"},
    {"?", "this help"},
    {"Esc", "close what is open"},
}};

// The largest size of type, up to `most`, at which `height(px)` fits `room`.
template <class Height>
float largest_px(float most, float least, float room, const Height& height) {
    float px = std::floor(most);
    while (px > least && height(px) > room) px -= 1;
    return px;
}

Rect centered(const Rect& screen, float width, float height) {
    return {std::round(screen.center().x - width / 2), std::round(screen.center().y - height / 2),
            std::round(width), std::round(height)};
}

bool close_button(const Look& look, const char* name, const Rect& card) {
    const float size = look.px(32) + extra_px(look);
    return icon_button(look, name,
                       {card.right() - look.px(12) - size, card.y + look.px(12), size, size},
                       Icon::kClose, false, "Close (Esc)");
}

// A click beside the card closes it, too.
bool clicked_outside(const Rect& card) {
    return ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered() &&
           !card.contains(ImGui::GetIO().MousePos);
}

void draw_key(const Look& look, float left, float middle, float px, const KeyHelp& key,
              float column) {
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    float x = left;
    std::string_view rest = key.keys;
    while (!rest.empty()) {  // two blanks part the keys, each in a cap of its own
        const std::size_t end = std::min(rest.find("  "), rest.size());
        const std::string_view cap = rest.substr(0, end);
        const float width = text_width(cap, Face::kSemiBold, px) + 0.9f * px;
        const Rect box{x, middle - 0.82f * px, width, 1.64f * px};
        fill_rect(list, box, colors.raised, look.px(5));
        stroke_rect(list, box, colors.line, look.px(1), look.px(5));
        draw_text(list, box.center(), cap, {Face::kSemiBold, px, colors.ink, Align::kCenter});
        x += width + 0.4f * px;
        rest.remove_prefix(std::min(rest.size(), end + 2));
    }
    draw_text(list, {left + column, middle}, key.does, {Face::kRegular, px, colors.ink2});
}

constexpr float kKeyRow = 2.05f;  // row to row, in sizes of type

struct KeysPlan {
    std::size_t columns = 1;
    float px = 0, keys = 0, does = 0;  // type, and the widths of a column's two halves
    float margin = 0, width = 0, height = 0;
};
// The largest type at which all keys fit the screen in so many columns.
KeysPlan plan_keys(const Look& look, const Rect& screen, std::size_t columns) {
    KeysPlan plan;
    plan.columns = columns;
    plan.margin = look.px(24);
    const auto rows = static_cast<float>((kKeys.size() + columns - 1) / columns);
    for (plan.px = std::floor(type_px(look, 15)); plan.px > 8; plan.px -= 1) {
        plan.keys = plan.does = 0;
        for (const KeyHelp& key : kKeys) {
            plan.keys = std::max(plan.keys,
                                 text_width(key.keys, Face::kSemiBold, plan.px) + 3.6f * plan.px);
            plan.does = std::max(plan.does, text_width(key.does, Face::kRegular, plan.px));
        }
        const auto count = static_cast<float>(columns);
        plan.width = count * (plan.keys + plan.does + plan.margin) + plan.margin;
        plan.height = (rows * kKeyRow + 3.2f) * plan.px + 2 * plan.margin;
        if (plan.width <= screen.w - look.px(16) && plan.height <= screen.h - look.px(16)) break;
    }
    return plan;
}

struct Section {
    const char* title;
    std::string text;
};

float sections_height(std::span<const Section> sections, float width, float px) {
    float height = 0;
    for (const Section& section : sections)
        height += 2.0f * px + 1.4f * px +
                  paragraph_height(wrap_text(section.text, width, Face::kRegular, px).size(), px);
    return height;
}

void draw_sections(const Look& look, ImVec2 at, float width, std::span<const Section> sections,
                   float px) {
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = at.y;
    for (const Section& section : sections) {
        draw_text(list, {at.x, y + px}, section.title, {Face::kSemiBold, px, colors.ink3});
        y += 2.0f * px;
        y += draw_paragraph(list, {at.x, y}, width, section.text, {Face::kRegular, px, colors.ink});
        y += 1.4f * px;
    }
}

struct LaterPage {
    const char *title, *text;
};
constexpr std::array<LaterPage, 2> kLaterPages = {{
    {"Lessons",
     "This page comes with a later version. It will lead through tiling, coalescing and bank "
     "conflicts in short scenes for a lecture hall: one idea on the screen at a time, with a "
     "question before each answer."},
    {"Patterns",
     "This page comes with a later version. It will show what an index expression costs while you "
     "type it: the banks or sectors that a warp touches, lane by lane. Until then, the command "
     "tilereel explain answers the same question."},
}};

}  // namespace

Commands draw_help(const Look& look, const Rect& screen, const Workbench& workbench,
                   PanelMemory& /*memory*/) {
    if (!workbench.view().help) return {};
    // One column of keys, or two where that allows larger type.
    const KeysPlan one = plan_keys(look, screen, 1), two = plan_keys(look, screen, 2);
    const KeysPlan plan = two.px > one.px ? two : one;
    const Rect card = centered(screen, plan.width, plan.height);
    Commands commands;
    begin_card(look, "help", screen, card, true);
    draw_text(ImGui::GetWindowDrawList(), {card.x + plan.margin, card.y + plan.margin + plan.px},
              "Keys", {Face::kBold, 1.35f * plan.px, look.colors().ink});
    const std::size_t rows = (kKeys.size() + plan.columns - 1) / plan.columns;
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
        const float x = card.x + plan.margin +
                        static_cast<float>(i / rows) * (plan.keys + plan.does + plan.margin);
        const float y =
            card.y + plan.margin + (4 + kKeyRow * static_cast<float>(i % rows)) * plan.px;
        draw_key(look, x, y, plan.px, kKeys[i], plan.keys);
    }
    if (close_button(look, "help.close", card) || clicked_outside(card))
        commands.push_back(ToggleHelp{});
    end_card();
    return commands;
}

Commands draw_introduction(const Look& look, const Rect& screen, const Workbench& workbench,
                           PanelMemory& memory) {
    PanelMemory::State& state = memory.state();
    if (!state.introduction) return {};
    const KernelInfo* kernel = find_kernel(workbench.request().kernel);
    if (kernel == nullptr) return {};
    const std::array<Section, 4> sections = {{{"Idea", as_sentence(kernel->idea)},
                                              {"Watch", as_sentence(kernel->watch)},
                                              {"Next", as_sentence(kernel->next)},
                                              {"Source", as_sentence(kernel->from)}}};
    const float margin = look.px(32);
    const float width = std::min(look.px(720) * std::sqrt(look.text), screen.w - look.px(32));
    const float inner = width - 2 * margin;
    const auto height = [&](float px) {
        return sections_height(sections, inner, px) + 4.4f * px + 2 * margin;
    };
    const float room = screen.h - look.px(24);
    const float px = largest_px(type_px(look, 17), 9, room, height);
    const Rect card = centered(screen, width, std::min(room, height(px)));
    begin_card(look, "introduction", screen, card, true);
    draw_text_fit(ImGui::GetWindowDrawList(), {card.x + margin, card.y + margin + px},
                  inner - look.px(40), kernel->title, {Face::kBold, 1.5f * px, look.colors().ink});
    draw_sections(look, {card.x + margin, card.y + margin + 3.4f * px}, inner, sections, px);
    if (close_button(look, "introduction.close", card) || clicked_outside(card))
        state.introduction = false;
    end_card();
    return {};
}

void draw_later_page(const Look& look, const Rect& rect, int mode) {
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    fill_rect(list, rect, colors.panel, look.px(10));
    register_widget("later", rect);
    const LaterPage& page = kLaterPages[static_cast<std::size_t>(std::clamp(mode, 2, 3) - 2)];
    const float width = std::min(rect.w - look.px(64), look.px(760) * std::sqrt(look.text));
    const auto height = [&](float px) {
        return paragraph_height(wrap_text(page.text, width, Face::kRegular, px).size(), px) +
               4 * px;
    };
    const float px = largest_px(type_px(look, 20), 9, rect.h - look.px(48), height);
    const float left = rect.center().x - width / 2;
    const float top = rect.center().y - height(px) / 2;
    draw_text(list, {left, top + px}, page.title, {Face::kBold, 1.8f * px, colors.ink});
    draw_paragraph(list, {left, top + 3.4f * px}, width, page.text,
                   {Face::kRegular, px, colors.ink2});
}

}  // namespace tilereel
