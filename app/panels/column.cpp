#include "app/panels/column.h"

#include <algorithm>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/wrap_row.h"

namespace tilereel {

void Column::paragraph(std::string_view text, const TextStyle& style, float indent) {
    const float width = rect_.w - indent;
    y_ += draw_paragraph({rect_.x + indent, y_}, width, text, style);
}

void Column::pieces(std::initializer_list<Piece> pieces, float gap) {
    float line = 0;
    for (const Piece& piece : pieces) line = std::max(line, 1.3f * piece.style.px);
    WrapRow row({rect_.x, y_, rect_.w, 0}, line, 0, gap);
    for (const Piece& piece : pieces) {
        const TextStyle style = shrunk(piece.style, piece.text, rect_.w);
        const Rect place = row.next(text_width(piece.text, style.face, style.px));
        draw_text({place.x, place.center().y}, piece.text, style);
    }
    y_ = row.bottom();
}

void Column::rule() { draw_rule(look_, {rect_.x, y_}, rect_.w); }

bool Column::button(std::string_view name, std::string_view label, float px, float x, float width,
                    bool pressed, std::string_view tip, bool available) {
    const Rect rect{std::round(x), std::round(y_), std::round(width),
                    std::round(column_button_height(px))};
    if (available) return toggle_button(look_, name, rect, label, px, pressed, tip);
    touch_area(look_, name, rect, tip);
    dashed_rect(rect, look_.colors().line, look_.line(), look_.px(4));
    const TextStyle style{Face::kRegular, px, look_.colors().ink3, Align::kCenter};
    draw_text(rect.center(), label, shrunk(style, label, rect.w - look_.gap()));
    return false;
}

float Column::button_width(std::string_view label, float px) const {
    return std::min(rect_.w, text_width(label, Face::kSemiBold, px) + look_.margin());
}

}  // namespace tilereel
