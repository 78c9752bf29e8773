#include "app/stage/matrices/finding_cards.h"

#include <algorithm>
#include <vector>

#include "app/ui/draw/wrap_text.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

// A line of code, wrapped, in the largest font at which all of it has room. If it would be much
// smaller than the words around it, only the number of the line.
void draw_code(const Rect& place, std::uint32_t line, const std::string& text, TextStyle style) {
    constexpr float kLeading = 1.25f, kLeast = 0.8f;
    const TextStyle full = style;
    for (; style.px >= kLeast * full.px; style.px -= 1) {
        const auto lines = wrap_text(text, place.w, style.face, style.px);
        const float height = kLeading * style.px * static_cast<float>(lines.size());
        if (height > place.h) continue;
        draw_lines({place.x, place.center().y - (height - kLeading * style.px) / 2}, lines, style,
                   kLeading * style.px);
        return;
    }
    draw_text({place.x, place.center().y}, "line " + std::to_string(line), full);
}

}  // namespace

DrawnFindingHead draw_finding_head(const Look& look, const Rect& rect, const FindingHead& head) {
    const Palette& colors = look.colors();
    const float px = look.font_px(22), mark = 0.8f * px, height = 2.2f * px;
    const float middle = rect.y + 0.7f * px, small = look.font_px(14);
    const std::string_view label = head.product ? "show the tiles" : "show the arrays";
    const Rect button{rect.right() - button_width(look, label), middle - 0.9f * small,
                      button_width(look, label), 1.8f * small};
    const bool clicked = text_button(look, "stage.finding.close", button, label, false,
                                     "Back to the usual picture of this moment (Esc)");
    draw_hazard_mark(colors, {rect.x + mark / 2, middle}, mark, head.error);
    float x = rect.x + mark + look.gap();
    const float room = button.x - look.pad() - x;
    const std::string all = std::string(head.words) + head.name;
    const float fit = std::min(1.0f, room / text_width(all, Face::kMonoBold, px));
    x += draw_text({x, middle}, head.words, {Face::kSemiBold, fit * px, colors.ink});
    x += draw_text({x, middle}, head.name, {Face::kMonoBold, fit * px, colors.solid(head.role)});
    if (!head.note.empty() &&
        x + look.pad() + text_width(head.note, Face::kRegular, small) < button.x - look.pad())
        draw_text({x + look.pad(), middle}, head.note, {Face::kRegular, small, colors.ink3});
    return {height, clicked};
}

void draw_access_card(const Look& look, const Rect& card, const AccessCard& access) {
    const Palette& colors = look.colors();
    register_widget(access.widget, card);
    draw_box(card, colors.raised, colors.accent, look.frame(), look.card_corner());
    struct Line {
        std::string text;
        Face face;
        float units;
        ImU32 color;
        float rows = 1;
    };
    std::vector<Line> lines = {
        {access.verb, Face::kBold, 20, colors.ink},
        {access.who, Face::kSemiBold, 18, colors.ink},
        {access.thread, Face::kRegular, 15, colors.ink2},
        {access.time, Face::kBold, 16, colors.accent},
        {"line " + std::to_string(access.line) + ":  " + access.code, Face::kMono, 14, colors.ink2,
         2},
        {access.value, Face::kBold, 20, colors.solid(access.role)},
    };
    std::erase_if(lines, [](const Line& line) { return line.text.empty(); });
    float rows = 0;
    for (const Line& line : lines) rows += line.rows;
    const float pad = look.wide(), row = std::min((card.h - pad) / rows, card.h / 6);
    float y = card.y + (card.h - row * rows) / 2;
    for (const Line& line : lines) {
        const Rect place{card.x + pad, y, card.w - 2 * pad, line.rows * row};
        y += place.h;
        const float px = std::min(look.font_px(line.units), 0.75f * row);
        if (line.rows > 1) {
            draw_code(place, access.line, line.text, {line.face, px, line.color});
            continue;
        }
        const TextStyle style =
            shrunk({line.face, px, line.color}, line.text, place.w, std::min(px, look.font_px(10)));
        draw_text_fit({place.x, place.center().y}, place.w, line.text, style);
    }
}

}  // namespace tilereel::stage
