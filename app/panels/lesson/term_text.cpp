#include "app/panels/lesson/term_text.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/measure.h"
#include "app/panels/paragraph.h"

namespace tilereel {

TermText::TermText(std::string_view text, float width, const TextStyle& style)
    : style_(style),
      lines_(wrap_text(text, width, style.face, style.px)),
      terms_(terms_in(text)),
      text_(text) {}

float TermText::height() const {
    return std::round(static_cast<float>(lines_.size()) * kParagraphLeading * style_.px);
}

std::vector<TermText::Place> TermText::places(ImVec2 at) const {
    const float leading = kParagraphLeading * style_.px;
    std::vector<Place> places;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const auto begin = static_cast<std::size_t>(lines_[i].data() - text_.data());
        for (const TermPlace& each : terms_) {
            // Of a term of two words that is broken, the first one.
            if (each.begin < begin || each.begin >= begin + lines_[i].size()) continue;
            const std::size_t end = std::min(each.end, begin + lines_[i].size());
            const float left = text_width(text_.substr(begin, each.begin - begin), style_);
            const float width = text_width(text_.substr(each.begin, end - each.begin), style_);
            places.push_back(
                {{at.x + left, at.y + static_cast<float>(i) * leading, width, leading}, each.term});
        }
    }
    return places;
}

void TermText::draw(const Look& look, ImVec2 at) const {
    if (measures()) return;
    const float leading = kParagraphLeading * style_.px;
    draw_lines({at.x, at.y + leading / 2}, lines_, style_, leading);
    const float dot = std::max(1.0f, std::round(style_.px / 14)), step = 3 * dot;
    for (const Place& place : places(at)) {
        const float y = std::round(place.rect.center().y + 0.56f * style_.px);
        for (float x = place.rect.x; x + dot <= place.rect.right(); x += step)
            fill_rect({std::round(x), y, dot, dot}, look.colors().ink3);
    }
}

std::string_view TermText::meaning_at_mouse(ImVec2 at) const {
    for (const Place& place : places(at))
        if (ImGui::IsMouseHoveringRect(place.rect.min(), {place.rect.right(), place.rect.bottom()}))
            return place.term->meaning;
    return {};
}

}  // namespace tilereel
