#include "app/panels/column.h"

#include <algorithm>
#include <cmath>

#include "app/panels/paragraph.h"

namespace tilereel {

void Column::paragraph(std::string_view text, const TextStyle& style, float indent) {
    const float width = rect_.w - indent;
    y_ += draws() ? draw_paragraph(list_, {rect_.x + indent, y_}, width, text, style)
                  : paragraph_height(wrap_text(text, width, style.face, style.px).size(), style.px);
}

void Column::rule() {
    if (draws()) draw_rule(list_, look_, {rect_.x, y_}, rect_.w);
}

bool Column::button(std::string_view name, std::string_view label, float px, float x, float width,
                    bool pressed, std::string_view tip, bool available) {
    if (!draws()) return false;
    const Rect rect{std::round(x), std::round(y_), std::round(width),
                    std::round(column_button_height(px))};
    if (available) return toggle_button(look_, name, rect, label, px, pressed, tip);
    touch_area(look_, name, rect, tip);
    dashed_rect(list_, rect, look_.colors().line, look_.px(1), look_.px(4));
    const TextStyle style{Face::kRegular, px, look_.colors().ink3, Align::kCenter};
    draw_text(list_, rect.center(), label, shrunk(style, label, rect.w - look_.px(8)));
    return false;
}

float Column::button_width(std::string_view label, float px) const {
    return std::min(rect_.w, text_width(label, Face::kSemiBold, px) + look_.px(24));
}

}  // namespace tilereel
