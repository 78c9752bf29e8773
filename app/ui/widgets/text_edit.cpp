#include "app/ui/widgets/text_edit.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace tilereel {
namespace {

// `caret`: before the key.
std::optional<EditEnd> end_by_arrow(const KeyPress& press, const TextEdit::Caret& caret) {
    if (press.shift || press.repeat) return std::nullopt;
    if (press.key == Key::kUp) return EditEnd::kUp;
    if (press.key == Key::kDown) return EditEnd::kDown;
    if (press.key == Key::kLeft && caret.at_begin) return EditEnd::kBackTab;
    if (press.key == Key::kRight && caret.at_end) return EditEnd::kTab;
    return std::nullopt;
}

std::optional<EditEnd> end_of(const KeyPress& press) {
    if (press.key == Key::kEnter) return EditEnd::kEnter;
    if (press.key == Key::kEscape) return EditEnd::kEscape;
    if (press.key == Key::kTab) return press.shift ? EditEnd::kBackTab : EditEnd::kTab;
    return std::nullopt;
}

// Selects the part once, and forgets it. Notes where the caret is.
int set_caret(ImGuiInputTextCallbackData* data) {
    auto& caret = *static_cast<TextEdit::Caret*>(data->UserData);
    if (caret.part) {
        data->SelectionStart = std::min(caret.part->first, data->BufTextLen);
        data->SelectionEnd = data->CursorPos = std::min(caret.part->second, data->BufTextLen);
        caret.part.reset();
    }
    const auto [first, last] = std::minmax(data->SelectionStart, data->SelectionEnd);
    const bool all = last - first == data->BufTextLen;
    caret.at_begin = all || (first == last && data->CursorPos == 0);
    caret.at_end = all || (first == last && data->CursorPos == data->BufTextLen);
    return 0;
}

}  // namespace

void TextEdit::begin(std::string text) {
    text_ = std::move(text);
    begins_ = selects_ = true;
    caret_ = {};
}

void TextEdit::begin(std::string text, std::pair<std::size_t, std::size_t> selected) {
    begin(std::move(text));
    caret_.part = std::pair(static_cast<int>(selected.first), static_cast<int>(selected.second));
}

std::optional<EditEnd> TextEdit::draw(std::string_view control, const Rect& rect,
                                      const TextStyle& style, ArrowsAtEnds arrows) {
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
    const Caret before = caret_;
    ImGui::InputText(
        "##text", &text_,
        (selects_ ? ImGuiInputTextFlags_AutoSelectAll : 0) | ImGuiInputTextFlags_CallbackAlways,
        set_caret, &caret_);
    const bool ready = ImGui::IsItemActive() && !caret_.part;
    selects_ &= !ready;
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    ImGui::PopID();
    std::optional<EditEnd> end;
    for (const KeyPress& press : claimed_keys(control)) {
        end = end_of(press);
        if (!end && arrows == ArrowsAtEnds::kLeave) end = end_by_arrow(press, before);
    }
    claim_keys(control, ready && !end ? KeysOf::kText : KeysOf::kWaiting);
    return end;
}

}  // namespace tilereel
