#include "app/ui/text_edit.h"

#include <algorithm>
#include <cmath>

#include "app/ui/utf8.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostBytes = 4096;  // the longest path on Linux (PATH_MAX)
constexpr double kCaretSeconds = 0.53;    // duration of each half of the blinking

std::string utf8(char32_t c) {
    std::string out;
    const auto add = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (c < 0x80) {
        add(c);
    } else if (c < 0x800) {
        add(0xc0 | (c >> 6));
        add(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        add(0xe0 | (c >> 12));
        add(0x80 | ((c >> 6) & 0x3f));
        add(0x80 | (c & 0x3f));
    } else {
        add(0xf0 | (c >> 18));
        add(0x80 | ((c >> 12) & 0x3f));
        add(0x80 | ((c >> 6) & 0x3f));
        add(0x80 | (c & 0x3f));
    }
    return out;
}

}  // namespace

void TextEdit::begin(std::string text) {
    text_ = std::move(text);
    caret_ = text_.size();
    all_selected_ = !text_.empty();
}

void TextEdit::put_caret(std::size_t byte) {
    caret_ = std::min(byte, text_.size());
    all_selected_ = false;
}

void TextEdit::insert(std::string_view text) {
    if (all_selected_) erase(0, text_.size());
    if (text_.size() + text.size() > kMostBytes) return;
    text_.insert(caret_, text);
    caret_ += text.size();
}

void TextEdit::erase(std::size_t from, std::size_t to) {
    text_.erase(from, to - from);
    put_caret(from);
}

std::optional<EditEnd> TextEdit::take(const KeyPress& press) {
    switch (press.key) {
        case Key::kEnter:
            return EditEnd::kEnter;
        case Key::kEscape:
            return EditEnd::kEscape;
        case Key::kTab:
            return press.shift ? EditEnd::kBackTab : EditEnd::kTab;
        case Key::kCharacter: {
            const char32_t c = press.character;
            const bool letter = c >= U'a' && c <= U'z';
            if (c >= 0x20) insert(utf8(letter && press.shift ? c - (U'a' - U'A') : c));
            break;
        }
        case Key::kPaste: {
            const char* const clipboard = ImGui::GetClipboardText();
            std::string line = clipboard == nullptr ? "" : clipboard;
            line.erase(std::min(line.find_first_of("\r\n"), line.size()));
            insert(line);
            break;
        }
        case Key::kSelectAll:
            all_selected_ = !text_.empty();
            caret_ = text_.size();
            break;
        case Key::kBackspace:
        case Key::kDelete:
            if (all_selected_)
                erase(0, text_.size());
            else if (press.key == Key::kBackspace)
                erase(character_before(text_, caret_), caret_);
            else
                erase(caret_, character_after(text_, caret_));
            break;
        case Key::kLeft:
            put_caret(all_selected_ ? 0 : character_before(text_, caret_));
            break;
        case Key::kRight:
            put_caret(all_selected_ ? text_.size() : character_after(text_, caret_));
            break;
        case Key::kHome:
            put_caret(0);
            break;
        case Key::kEnd:
            put_caret(text_.size());
            break;
        default:
            break;
    }
    return std::nullopt;
}

std::optional<EditEnd> TextEdit::take_keys(std::string_view control) {
    claim_keys(control);
    const std::span<const KeyPress> keys = claimed_keys(control);
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (const auto end = take(keys[i])) {
            give_back_keys(keys.subspan(i + 1));
            return end;
        }
    return std::nullopt;
}

void draw_text_edit(const Look& look, const Rect& rect, TextEdit& edit, const TextStyle& style,
                    std::optional<ImVec2> clicked) {
    const Palette& colors = look.colors();
    const std::string& text = edit.text();
    const auto width_to = [&](std::size_t byte) {
        return text_width(std::string_view(text).substr(0, byte), style.face, style.px);
    };
    const float caret = width_to(edit.caret());
    const float left = rect.x - std::max(0.0f, caret + look.hair() - rect.w);
    if (clicked) {
        std::size_t at = 0;
        while (at < text.size() &&
               left + (width_to(at) + width_to(character_after(text, at))) / 2 < clicked->x)
            at = character_after(text, at);
        edit.put_caret(at);
    }
    const Clip clip(rect);
    const float half = 0.72f * style.px, middle = rect.center().y;
    if (edit.all_selected())
        fill_rect({left, middle - half, width_to(text.size()), 2 * half},
                  mix(colors.raised, colors.accent, 0.4f), look.px(2));
    draw_text({left, middle}, text, style);
    if (std::fmod(look.now_seconds, 2 * kCaretSeconds) < kCaretSeconds || edit.all_selected())
        fill_rect(
            {std::round(left + width_to(edit.caret())), middle - half, look.px(1.5f), 2 * half},
            colors.ink);
}

}  // namespace tilereel
