#include "app/panels/edit/editor_keys.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>

namespace tilereel {
namespace {

std::string utf8_of(char32_t c) {
    std::string out;
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0U | c >> 6U);
        out += static_cast<char>(0x80U | (c & 0x3FU));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0U | c >> 12U);
        out += static_cast<char>(0x80U | (c >> 6U & 0x3FU));
        out += static_cast<char>(0x80U | (c & 0x3FU));
    } else {
        out += static_cast<char>(0xF0U | c >> 18U);
        out += static_cast<char>(0x80U | (c >> 12U & 0x3FU));
        out += static_cast<char>(0x80U | (c >> 6U & 0x3FU));
        out += static_cast<char>(0x80U | (c & 0x3FU));
    }
    return out;
}

}  // namespace

bool EditorKeys::press(const KeyPress& press) {
    const EditQuestion asked = std::exchange(edit_.question, EditQuestion::kNone);
    if (press.key == Key::kEscape || press.key == Key::kF2) return !leaves(asked);
    if (press.key == Key::kSavePicture) return save(asked), true;
    if (press.key == Key::kRunAgain && asked == EditQuestion::kReplace) return take_disk(), true;
    edit_.problem.clear();
    if (!of_window(press) && !of_text(press)) move(press);
    return true;
}

void EditorKeys::save(EditQuestion asked) {
    commands_.push_back(SaveSource{.file = edit_.file,
                                   .text = edit_.buffer.text(),
                                   .was = edit_.on_disk,
                                   .replaces = asked == EditQuestion::kReplace});
}

bool EditorKeys::leaves(EditQuestion asked) {
    if (!edit_.buffer.changed() || asked == EditQuestion::kLeave) return true;
    edit_.question = EditQuestion::kLeave;
    return false;
}

void EditorKeys::take_disk() {
    const Result<std::string> text = read_to_edit(edit_.file);
    if (!text) {
        edit_.problem = text.error().message;
        return;
    }
    edit_.buffer.replace_all(*text);
    edit_.buffer.mark_saved();
    edit_.on_disk = *text;
}

bool EditorKeys::of_window(const KeyPress& press) {
    switch (press.key) {
        case Key::kF1:
            commands_.push_back(ToggleHelp{});
            return true;
        case Key::kF11:
            commands_.push_back(ToggleFullScreen{});
            return true;
        case Key::kRunAgain:
            commands_.push_back(RunProgramAgain{});
            return true;
        case Key::kEditor:
            commands_.push_back(OpenInEditor{
                edit_.file,
                static_cast<std::uint32_t>(edit_.buffer.place_of(edit_.buffer.caret()).line + 1)});
            return true;
        default:
            return false;
    }
}

bool EditorKeys::of_text(const KeyPress& press) {
    TextBuffer& buffer = edit_.buffer;
    const auto [first, last] = buffer.selection();
    edit_.reveals = true;
    switch (press.key) {
        case Key::kCharacter: {
            const char32_t c = press.character;
            const bool letter = c >= U'a' && c <= U'z';
            buffer.type(utf8_of(letter && press.shift ? c - (U'a' - U'A') : c));
            return true;
        }
        case Key::kEnter:
            return buffer.new_line(), true;
        case Key::kTab:
            return buffer.indent(press.shift), true;
        case Key::kBackspace:
            return buffer.erase_before(press.control), true;
        case Key::kDelete:
            return buffer.erase_after(press.control), true;
        case Key::kPaste:
            if (const char* const text = ImGui::GetClipboardText()) buffer.paste(text);
            return true;
        case Key::kCopy:
        case Key::kCut:
            if (first != last) ImGui::SetClipboardText(buffer.selected().c_str());
            if (press.key == Key::kCut && first != last) buffer.erase_after(false);
            return true;
        case Key::kSelectAll:
            return buffer.select_all(), true;
        case Key::kUndo:
            return buffer.undo(), true;
        case Key::kRedo:
            return buffer.redo(), true;
        case Key::kFind:
            edit_.find.emplace();
            edit_.find->begin(first != last && buffer.selected().find('\n') == std::string::npos
                                  ? buffer.selected()
                                  : edit_.searched);
            return true;
        case Key::kF3:
            edit_.not_found = !buffer.find(edit_.searched, press.shift);
            return true;
        default:
            return false;
    }
}

void EditorKeys::move(const KeyPress& press) {
    TextBuffer& buffer = edit_.buffer;
    const bool shift = press.shift, control = press.control;
    switch (press.key) {
        case Key::kLeft:
            return buffer.move(control ? CaretMove::kWordLeft : CaretMove::kLeft, shift);
        case Key::kRight:
            return buffer.move(control ? CaretMove::kWordRight : CaretMove::kRight, shift);
        case Key::kUp:
            return buffer.move(CaretMove::kUp, shift);
        case Key::kDown:
            return buffer.move(CaretMove::kDown, shift);
        case Key::kPageUp:
            return buffer.move(CaretMove::kUp, shift, std::max<std::size_t>(edit_.rows, 2) - 1);
        case Key::kPageDown:
            return buffer.move(CaretMove::kDown, shift, std::max<std::size_t>(edit_.rows, 2) - 1);
        case Key::kHome:
            return buffer.move(control ? CaretMove::kTextBegin : CaretMove::kLineBegin, shift);
        case Key::kEnd:
            return buffer.move(control ? CaretMove::kTextEnd : CaretMove::kLineEnd, shift);
        default:
            return;
    }
}

}  // namespace tilereel
