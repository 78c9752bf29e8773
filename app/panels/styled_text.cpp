#include "app/panels/styled_text.h"

#include <algorithm>

#include "app/panels/measure.h"
#include "app/panels/wrap_row.h"

namespace tilereel {

StyledLines::StyledLines(std::span<const StyledText> pieces, float width, float px, float leading)
    : px_(px), leading_(leading * px) {
    take_words(pieces, width);
    const auto width_of = [px](const Word& word) {
        return text_width(word.text, word.style->face, px);
    };
    float x = 0;
    for (std::size_t i = 0, end = 0; i < words_.size(); i = end) {
        const float space = text_width(" ", words_[i].style->face, px);
        float chunk = width_of(words_[i]);  // a word with the pieces that belong to it
        for (end = i + 1; end < words_.size() && !words_[end].space_before; ++end) {
            const float more = width_of(words_[end]);
            if (chunk + more > width) break;
            chunk += more;
        }
        if (lines_.empty() || x + space + chunk > width) {
            lines_.emplace_back(&words_[i], end - i);
            x = chunk;
        } else {
            lines_.back() = {lines_.back().data(), lines_.back().size() + end - i};
            x += space + chunk;
        }
    }
}

void StyledLines::take_words(std::span<const StyledText> pieces, float width) {
    bool space = false;
    for (const StyledText& piece : pieces)
        for (std::string_view rest = piece.text; !rest.empty();) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            std::size_t size = end;  // of the word, or of the part that fits a line
            while (size > 1 && text_width(rest.substr(0, size), piece.face, px_) > width) --size;
            if (size > 0) words_.push_back({&piece, rest.substr(0, size), space});
            rest.remove_prefix(size);
            space = size < end || rest.starts_with(' ');
            if (rest.starts_with(' ')) rest.remove_prefix(1);
        }
}

void StyledLines::draw(ImVec2 at) const {
    float y = at.y + leading_ / 2;
    for (const std::span<const Word> line : lines_) {
        float x = at.x;
        for (const Word& word : line) {
            if (word.space_before && &word != line.data())
                x += text_width(" ", word.style->face, px_);
            x += draw_text({x, y}, word.text, {word.style->face, px_, word.style->color});
        }
        y += leading_;
    }
}

float draw_styled(ImVec2 at, float width, std::span<const StyledText> pieces, float px) {
    const StyledLines lines(pieces, width, px, 1.45f);
    lines.draw(at);
    return lines.height();
}

float draw_figures(const Look& look, ImVec2 at, float width, std::span<const Figure> figures) {
    const Palette& colors = look.colors();
    const float px = type_px(look, 22), small = type_px(look, 13), gap = look.wide();
    std::vector<float> widths;
    float all = 0;
    for (const Figure& figure : figures) {
        widths.push_back(gap + std::max(text_width(figure.value, Face::kBold, px),
                                        text_width(figure.caption, Face::kRegular, small)));
        all += widths.back();
    }
    // In one row they spread over the width.
    const float spare = std::max(0.0f, width + gap - all) / static_cast<float>(figures.size());
    WrapRow row({at.x, at.y, width + gap, 0}, 1.1f * px + 1.3f * small, look.snug(), 0);
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const Rect place = row.next(widths[i] + spare * 0.99f);  // not wider by rounding
        draw_text({place.x, place.y + 0.55f * px}, figures[i].value,
                  {Face::kBold, px, figures[i].conflict ? colors.conflict : colors.ink});
        draw_text({place.x, place.bottom() - 0.65f * small}, figures[i].caption,
                  {Face::kRegular, small, colors.ink2});
    }
    return row.bottom() - at.y;
}

}  // namespace tilereel
