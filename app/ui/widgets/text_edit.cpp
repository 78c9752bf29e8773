#include "app/ui/widgets/text_edit.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace tilereel {
namespace {

std::optional<EditEnd> end_of(const KeyPress& press) {
    if (press.key == Key::kEnter) return EditEnd::kEnter;
    if (press.key == Key::kEscape) return EditEnd::kEscape;
    if (press.key == Key::kTab) return press.shift ? EditEnd::kBackTab : EditEnd::kTab;
    return std::nullopt;
}

// Selects the part once, and forgets it.
int select_part(ImGuiInputTextCallbackData* data) {
    auto& part = *static_cast<std::optional<std::pair<int, int>>*>(data->UserData);
    if (!part) return 0;
    data->SelectionStart = std::min(part->first, data->BufTextLen);
    data->SelectionEnd = data->CursorPos = std::min(part->second, data->BufTextLen);
    part.reset();
    return 0;
}

}  // namespace

void TextEdit::begin(std::string text) {
    text_ = std::move(text);
    begins_ = selects_ = true;
    part_.reset();
}

void TextEdit::begin(std::string text, std::pair<std::size_t, std::size_t> selected) {
    begin(std::move(text));
    part_ = std::pair(static_cast<int>(selected.first), static_cast<int>(selected.second));
}

std::optional<EditEnd> TextEdit::draw(std::string_view control, const Rect& rect,
                                      const TextStyle& style) {
    ImGui::PushID(control.data(), control.data() + control.size());
    const PlacedFont placed = placed_font(style.face, style.px);
    ImGui::PushFont(placed.font);
    // The text stands where draw_text() would put it.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        {0, (rect.h + placed.cap_height) / 2 - placed.baseline});
    ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
    ImGui::PushStyleColor(ImGuiCol_Text, style.color);
    ImGui::SetCursorScreenPos(rect.min());
    ImGui::SetNextItemWidth(rect.w);
    // Dear ImGui reads the text only when a field gets the focus, which takes a frame.
    if (std::exchange(begins_, false)) ImGui::ClearActiveID();
    if (ImGui::GetActiveID() != ImGui::GetID("##text")) ImGui::SetKeyboardFocusHere();
    ImGui::InputText("##text", &text_,
                     (selects_ ? ImGuiInputTextFlags_AutoSelectAll : 0) |
                         (part_ ? ImGuiInputTextFlags_CallbackAlways : 0),
                     select_part, &part_);
    const bool ready = ImGui::IsItemActive() && !part_;
    selects_ &= !ready;
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    ImGui::PopID();
    std::optional<EditEnd> end;
    for (const KeyPress& press : claimed_keys(control)) end = end_of(press);
    claim_keys(control, ready && !end ? KeysOf::kText : KeysOf::kWaiting);
    return end;
}

}  // namespace tilereel
