#include "app/panels/paragraph.h"

#include <algorithm>
#include <cmath>

namespace tilereel {
namespace {

// A line with a larger font is higher: by so many pixels for each additional pixel of font size.
constexpr float kLargeLeading = 1.1f;

}  // namespace

float paragraph_height(std::string_view text, float width, const TextStyle& style) {
    return measured([&] { return draw_paragraph({}, width, text, style); });
}

float draw_paragraph(ImVec2 at, float width, std::string_view text, const TextStyle& style) {
    const std::vector<std::string_view> lines = wrap_text(text, width, style.face, style.px);
    const float leading = kParagraphLeading * style.px;
    draw_lines({at.x, at.y + leading / 2}, lines, style, leading);
    return std::round(static_cast<float>(lines.size()) * leading);
}

StyledLines::StyledLines(std::span<const StyledText> pieces, float width, float px, float leading)
    : words_(width), px_(px), leading_(leading * px) {
    for (const StyledText& piece : pieces)
        words_.add(piece.text, {piece.face, piece.px > 0 ? piece.px : px, piece.color});
    lines_ = words_.lines();
}

float StyledLines::height_of(std::span<const Word> line) const {
    float px = px_;
    for (const Word& word : line) px = std::max(px, word.style.px);
    return leading_ + kLargeLeading * (px - px_);
}

float StyledLines::height() const {
    float height = 0;
    for (const std::span<const Word> line : lines_) height += height_of(line);
    return height;
}

void StyledLines::draw(ImVec2 at) const {
    for (const std::span<const Word> line : lines_) {
        const float height = height_of(line);
        float x = at.x - line.front().before;
        for (const Word& word : line)
            x += word.before +
                 draw_text({x + word.before, at.y + height / 2}, word.text, word.style);
        at.y += height;
    }
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
