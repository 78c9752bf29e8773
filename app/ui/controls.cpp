// The chips of the top bar: a choice from a list, and three numbers to type.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/ui/keys.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

bool is_figure(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool escape_pressed() {
    return std::any_of(keys_of_frame().begin(), keys_of_frame().end(),
                       [](const KeyPress& press) { return press.key == Key::kEscape; });
}

// The caption on the left of a chip; returns where the value starts.
float draw_caption(const Look& look, ImDrawList* list, const Rect& rect, std::string_view label) {
    const float left = rect.x + look.px(12);
    if (label.empty()) return left;
    return left + look.px(9) +
           draw_text(list, {left, rect.center().y}, label,
                     {Face::kRegular, look.font_px(14), look.colors().ink3});
}

void draw_chip(const Look& look, ImDrawList* list, const Rect& rect, bool hovered, bool open) {
    const Palette& colors = look.colors();
    fill_rect(list, rect, hovered ? mix(colors.raised, colors.ink, 0.08f) : colors.raised,
              look.px(6));
    if (open) stroke_rect(list, rect, colors.accent, look.px(1.5f), look.px(6));
}

TextStyle value_style(const Look& look, std::string_view value, ImU32 color) {
    return {is_figure(value) ? Face::kMono : Face::kSemiBold, look.font_px(15), color};
}

// The open list; returns the chosen index or -1.
int draw_choices(const Look& look, std::string_view name, const Rect& list_rect, float row_height,
                 std::span<const std::string> choices, int current) {
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    int chosen = -1;
    const float top = ImGui::GetCursorScreenPos().y;  // moves up while the list is scrolled
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const Rect row{list_rect.x + look.px(4), top + static_cast<float>(i) * row_height,
                       list_rect.w - look.px(8), row_height};
        const Touch touch =
            touch_area(look, std::string(name) + "." + choices[i], row, std::string_view{});
        const bool is_current = static_cast<int>(i) == current;
        if (touch.hovered || is_current)
            fill_rect(list, row,
                      is_current ? colors.accent_tint : mix(colors.raised, colors.ink, 0.1f),
                      look.px(4));
        draw_text_fit(list, {row.x + look.px(8), row.center().y}, row.w - look.px(16), choices[i],
                      value_style(look, choices[i], is_current ? colors.ink : colors.ink2));
        if (touch.clicked) chosen = static_cast<int>(i);
    }
    return chosen;
}

Rect choices_rect(const Look& look, const Rect& chip, std::span<const std::string> choices,
                  float row_height) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float width = chip.w;
    for (const std::string& choice : choices)
        width =
            std::max(width, text_width(choice, Face::kSemiBold, look.font_px(15)) + look.px(32));
    const float height = static_cast<float>(choices.size()) * row_height + look.px(8);
    const float below = screen.y - chip.bottom() - look.px(12), above = chip.y - look.px(12);
    Rect rect{chip.x, chip.bottom() + look.px(4), std::min(width, screen.x),
              std::min(height, std::max(below, above))};
    if (rect.h > below) rect.y = chip.y - look.px(4) - rect.h;  // opens upwards
    rect.x = std::clamp(rect.x, 0.0f, std::max(0.0f, screen.x - rect.w - look.px(8)));
    return rect;
}

// The one text field being edited: Dear ImGui writes what was typed here.
struct Editing {
    std::string field;
    std::array<char, 12> text{};
};
Editing g_editing;

// One number; true when an edit was finished with a number other than `value`.
bool number_field(const Look& look, const std::string& name, const Rect& rect, int& value) {
    register_widget(name, rect);
    const bool editing = g_editing.field == name;
    std::array<char, 12> shown{};
    std::snprintf(shown.data(), shown.size(), "%d", value);
    std::array<char, 12>& text = editing ? g_editing.text : shown;
    ImGui::SetCursorScreenPos(rect.min());
    ImGui::SetNextItemWidth(rect.w);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        {look.px(4), std::max(0.0f, (rect.h - ImGui::GetFontSize()) / 2)});
    ImGui::PushID(name.c_str());
    ImGui::InputText("##field", text.data(), text.size(),
                     ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopID();
    ImGui::PopStyleVar();
    if (ImGui::IsItemActivated()) g_editing = {name, shown};
    const bool finished = ImGui::IsItemDeactivatedAfterEdit();
    int typed = value;
    if (finished && text[0] != '\0')
        typed = static_cast<int>(std::clamp(std::strtol(text.data(), nullptr, 10), 0L, 999999999L));
    if (editing && ImGui::IsItemDeactivated()) g_editing.field.clear();
    if (typed == value) return false;
    value = typed;
    return true;
}

}  // namespace

int choice_chip(const Look& look, std::string_view name, const Rect& rect, std::string_view label,
                std::span<const std::string> choices, int current, std::string_view tip) {
    const std::string popup = std::string(name) + ".list";
    const bool open = ImGui::IsPopupOpen(popup.c_str());
    const Touch touch = touch_area(look, name, rect, tip);
    ImDrawList* list = ImGui::GetWindowDrawList();
    draw_chip(look, list, rect, touch.hovered, open);
    const float left = draw_caption(look, list, rect, label);
    if (current >= 0 && current < static_cast<int>(choices.size())) {
        const std::string& value = choices[static_cast<std::size_t>(current)];
        draw_text_fit(list, {left, rect.center().y}, rect.right() - look.px(8) - left, value,
                      value_style(look, value, look.colors().ink));
    }
    if (touch.clicked && !choices.empty()) ImGui::OpenPopup(popup.c_str());

    int chosen = -1;
    const float row_height = std::max(look.px(32), std::round(look.font_px(15) * 1.9f));
    const Rect box = choices_rect(look, rect, choices, row_height);
    ImGui::SetNextWindowPos(box.min());
    ImGui::SetNextWindowSize({box.w, box.h});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, look.px(4)});
    ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, look.px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_PopupBg, look.colors().raised);
    ImGui::PushStyleColor(ImGuiCol_Border, look.colors().line);
    if (ImGui::BeginPopup(popup.c_str(), ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                             ImGuiWindowFlags_NoSavedSettings)) {
        chosen = draw_choices(look, name, box, row_height, choices, current);
        if (chosen >= 0 || escape_pressed()) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(3);
    return chosen;
}

bool extents_chip(const Look& look, std::string_view name, const Rect& rect, int values[3],
                  std::string_view tip) {
    const Palette& colors = look.colors();
    register_widget(name, rect);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool hovered = ImGui::IsMouseHoveringRect(rect.min(), rect.max());
    draw_chip(look, list, rect, hovered, g_editing.field.starts_with(name));
    const float left = draw_caption(look, list, rect, "M N K") - look.px(4);
    const Rect caption{rect.x, rect.y, left - rect.x, rect.h};
    touch_area(look, std::string(name) + ".caption", caption, tip);
    ImGui::PushFont(font(Face::kMono, look.font_px(15)));
    ImGui::PushStyleColor(ImGuiCol_FrameBg, IM_COL32(0, 0, 0, 0));
    ImGui::PushStyleColor(ImGuiCol_Text, colors.ink);
    ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, mix(colors.raised, colors.accent, 0.4f));
    bool changed = false;
    const float width = (rect.right() - look.px(4) - left) / 3;
    constexpr std::array<const char*, 3> kFields = {".m", ".n", ".k"};
    for (std::size_t i = 0; i < 3; ++i) {
        const Rect field{std::round(left + static_cast<float>(i) * width), rect.y,
                         std::round(width), rect.h};
        changed |= number_field(look, std::string(name) + kFields[i], field, values[i]);
    }
    ImGui::PopStyleColor(3);
    ImGui::PopFont();
    return changed;
}

}  // namespace tilereel
