#include "app/panels/paragraph.h"

#include <algorithm>
#include <cmath>

namespace tilereel {
namespace {

constexpr float kLeading = 1.45f;  // line to line, in sizes of type

}  // namespace

std::vector<std::string_view> wrap_text(std::string_view text, float width, Face face, float px) {
    std::vector<std::string_view> lines;
    const float space = text_width(" ", face, px);
    std::size_t begin = 0, end = 0;  // of the line being filled
    float x = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ' || text[at] == '\n') {
            ++at;
            continue;
        }
        const std::size_t after = std::min(text.find_first_of(" \n", at), text.size());
        const float word = text_width(text.substr(at, after - at), face, px);
        const bool first = end == begin;
        if (!first && x + space + word > width) {
            lines.push_back(text.substr(begin, end - begin));
            begin = at;
            x = word;
        } else {
            if (first) begin = at;
            x += (first ? 0 : space) + word;
        }
        end = after;
        at = after;
    }
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    return lines;
}

float paragraph_height(std::size_t lines, float px) {
    return std::round(static_cast<float>(lines) * kLeading * px);
}

float draw_paragraph(ImDrawList* list, ImVec2 at, float width, std::string_view text,
                     const TextStyle& style) {
    const std::vector<std::string_view> lines = wrap_text(text, width, style.face, style.px);
    float y = at.y + kLeading * style.px / 2;
    for (const std::string_view line : lines) {
        draw_text(list, {at.x, y}, line, style);
        y += kLeading * style.px;
    }
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
