#include "app/panels/panel_column.h"

#include <algorithm>
#include <cmath>

#include "app/panels/measure.h"
#include "app/panels/wrap_row.h"

namespace tilereel {

void Column::paragraph(std::string_view text, const TextStyle& style, float indent) {
    y_ += draw_paragraph({rect_.x + indent, y_}, rect_.w - indent, text, style);
}

void Column::styled(std::span<const StyledText> pieces, float px, float indent) {
    const StyledLines lines(pieces, rect_.w - indent, px);
    lines.draw({rect_.x + indent, y_});
    y_ += lines.height();
}

void Column::figures(std::span<const Figure> figures) {
    const Palette& colors = look_.colors();
    const float px = type_px(look_, 22), small = type_px(look_, 13), gap = look_.wide();
    std::vector<float> widths;
    float all = 0;
    for (const Figure& figure : figures) {
        widths.push_back(gap + std::max(text_width(figure.value, Face::kBold, px),
                                        text_width(figure.caption, Face::kRegular, small)));
        all += widths.back();
    }
    // In one row they spread over the width.
    const float spare = std::max(0.0f, rect_.w + gap - all) / static_cast<float>(figures.size());
    WrapRow row({rect_.x, y_, rect_.w + gap, 0}, 1.1f * px + 1.3f * small, look_.snug(), 0);
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const Rect place = row.next(widths[i] + spare * 0.99f);  // not wider by rounding
        draw_text({place.x, place.y + 0.55f * px}, figures[i].value,
                  {Face::kBold, px, figures[i].conflict ? colors.conflict : colors.ink});
        draw_text({place.x, place.bottom() - 0.65f * small}, figures[i].caption,
                  {Face::kRegular, small, colors.ink2});
    }
    y_ = row.bottom();
}

void Column::rule() { draw_rule(look_, {rect_.x, y_}, rect_.w); }

bool Column::button(std::string_view name, std::string_view label, float px, float x, float width,
                    bool pressed, std::string_view tip, bool available) {
    const Rect rect{std::round(x), std::round(y_), std::round(width),
                    std::round(column_button_height(px))};
    if (available) return toggle_button(look_, name, rect, label, px, pressed, tip);
    interact(look_, name, rect, tip);
    dashed_rect(rect, look_.colors().line, look_.line(), look_.px(4));
    const TextStyle style{Face::kRegular, px, look_.colors().ink3, Align::kCenter};
    draw_text(rect.center(), label, shrunk(style, label, rect.w - look_.gap()));
    return false;
}

float Column::button_width(std::string_view label, float px) const {
    return std::min(rect_.w, text_width(label, Face::kSemiBold, px) + look_.margin());
}

Rect inside_card(const Look& look, const Rect& card) {
    const float pad = look.pad();
    return {card.x + pad, card.y + look.wide(), card.w - 1.5f * pad, card.h - 2 * look.wide()};
}

CardTitle draw_title(const Look& look, const Rect& card, std::string_view title,
                     std::string_view caption, float units, float controls) {
    const Rect room = inside_card(look, card);
    const TextStyle large{Face::kSemiBold, type_px(look, units), look.colors().ink};
    const TextStyle small{Face::kRegular, type_px(look, 14), look.colors().ink3};
    const float words = room.w - controls - (controls > 0 ? look.wide() : 0);
    const float after = text_width(title, large) + look.wide();
    const bool beside = after + text_width(caption, small) <= words;
    const float row = std::round(1.6f * large.px), middle = room.y + row / 2;
    draw_text({room.x, middle}, title, shrunk(large, title, words));
    float height = row + look.gap();
    if (beside)
        draw_text({room.x + after, middle}, caption, small);
    else
        height += draw_paragraph({room.x, room.y + row}, room.w, caption, small);
    return {{room.right() - controls, room.y, controls, row},
            {room.x, room.y + height, room.w, room.h - height}};
}

}  // namespace tilereel
