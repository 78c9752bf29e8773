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
    if (draws())
        fill_rect(list_, {rect_.x, std::round(y_), rect_.w, std::max(1.0f, look_.px(1))},
                  look_.colors().line);
}

Touch Column::touch(std::string_view name, const Rect& rect, std::string_view tip) const {
    const float top = std::max(rect.y, seen_.y);
    const float bottom = std::min(rect.bottom(), seen_.bottom());
    if (bottom - top < 1) return {};
    return touch_area(look_, name, {rect.x, top, rect.w, bottom - top}, tip);
}

bool Column::button(std::string_view name, std::string_view label, float px, float x, float width,
                    bool pressed, std::string_view tip, bool available) {
    if (!draws()) return false;
    const Palette& colors = look_.colors();
    const Rect rect{std::round(x), std::round(y_), std::round(width),
                    std::round(column_button_height(px))};
    const Touch touched = touch(name, rect, tip);
    const ImU32 base = pressed ? colors.accent_tint : colors.raised;
    if (available)
        fill_rect(list_, rect, touched.hovered ? mix(base, colors.ink, 0.1f) : base, look_.px(6));
    else
        dashed_rect(list_, rect, colors.line, std::max(1.0f, look_.px(1)), look_.px(4));
    if (pressed)
        stroke_rect(list_, rect, colors.accent, std::max(1.0f, look_.px(1.5f)), look_.px(6));
    const float wide = text_width(label, Face::kSemiBold, px);
    const float fit = std::min(1.0f, (rect.w - look_.px(8)) / std::max(wide, 1.0f));
    const ImU32 ink = pressed ? colors.ink : available ? colors.ink2 : colors.ink3;
    draw_text(list_, rect.center(), label,
              {available ? Face::kSemiBold : Face::kRegular, px * fit, ink, Align::kCenter});
    return touched.clicked && available;
}

float Column::button_width(std::string_view label, float px) const {
    return std::min(rect_.w, text_width(label, Face::kSemiBold, px) + look_.px(24));
}

}  // namespace tilereel
