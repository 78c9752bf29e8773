#include "app/panels/paragraph.h"

#include <algorithm>
#include <cmath>

namespace tilereel {
namespace {

constexpr float kParagraphLeading = 1.45f;  // line height, as a multiple of the font size

}  // namespace

float paragraph_height(std::size_t lines, float px) {
    return std::round(static_cast<float>(lines) * kParagraphLeading * px);
}

float paragraph_height(std::string_view text, float width, const TextStyle& style) {
    return paragraph_height(wrap_text(text, width, style.face, style.px).size(), style.px);
}

float draw_paragraph(ImVec2 at, float width, std::string_view text, const TextStyle& style) {
    const std::vector<std::string_view> lines = wrap_text(text, width, style.face, style.px);
    const float leading = kParagraphLeading * style.px;
    draw_lines({at.x, at.y + leading / 2}, lines, style, leading);
    return paragraph_height(lines.size(), style.px);
}

std::string as_sentence(std::string_view phrase) {
    std::string text(phrase);
    if (text.empty()) return text;
    if (text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    if (text.back() != '.' && text.back() != '?' && text.back() != '!') text += '.';
    return text;
}

}  // namespace tilereel
