#include "app/ui/draw/draw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/ui/draw/clear.h"
#include "app/ui/draw/drawn_text.h"
#include "app/ui/draw/kept_shapes.h"
#include "app/ui/fonts/utf8.h"

namespace tilereel {
namespace {

constexpr std::string_view kEllipsis = "\xe2\x80\xa6";

float width_of(const PlacedFont& placed, std::string_view text) {
    return placed.font
        ->CalcTextSizeA(placed.size, 1e9f, 0.0f, text.data(), text.data() + text.size())
        .x;
}

// The baseline is rounded to a whole pixel here, because Dear ImGui truncates positions.
void put_text(const PlacedFont& placed, float left, float baseline, std::string_view text,
              ImU32 color) {
    draw_list()->AddText(placed.font, placed.size,
                         {std::round(left), std::round(baseline - placed.baseline)}, color,
                         text.data(), text.data() + text.size());
}

// Clips a line to a rectangle (Liang-Barsky). Returns false if nothing is left.
bool clip_line(const Rect& rect, ImVec2& from, ImVec2& to) {
    const float dx = to.x - from.x, dy = to.y - from.y;
    const float p[4] = {-dx, dx, -dy, dy};
    const float q[4] = {from.x - rect.x, rect.right() - from.x, from.y - rect.y,
                        rect.bottom() - from.y};
    float enter = 0, leave = 1;
    for (int side = 0; side < 4; ++side) {
        if (p[side] == 0) {
            if (q[side] < 0) return false;
        } else if (p[side] < 0) {
            enter = std::max(enter, q[side] / p[side]);
        } else {
            leave = std::min(leave, q[side] / p[side]);
        }
    }
    if (enter >= leave) return false;
    const ImVec2 start = from;
    from = {start.x + enter * dx, start.y + enter * dy};
    to = {start.x + leave * dx, start.y + leave * dy};
    return true;
}

void fill_diamond(ImVec2 at, float half, ImU32 color) {
    const std::array<ImVec2, 4> corners = {
        {{at.x, at.y - half}, {at.x + half, at.y}, {at.x, at.y + half}, {at.x - half, at.y}}};
    draw_list()->AddConvexPolyFilled(corners.data(), 4, color);
}

}  // namespace

float text_width(std::string_view text, Face face, float px) {
    return width_of(placed_font(face, px), text);
}

float draw_text(ImVec2 at, std::string_view text, const TextStyle& style) {
    if (text.empty()) return 0;
    const PlacedFont placed = placed_font(style.face, style.px);
    const float width = width_of(placed, text);
    if (measures()) return width;
    const float share = style.align == Align::kLeft     ? 0.0f
                        : style.align == Align::kCenter ? 0.5f
                                                        : 1.0f;
    const float left = at.x - share * width;
    const float baseline = std::round(at.y + placed.cap_height / 2);
    if (keeps_shapes())
        keep_text({std::string(text), style.face, style.px, {left, baseline}, width, style.color});
    else
        put_text(placed, left, baseline, text, style.color);
    note_drawn_text(draw_list(), {left, at.y}, {width, placed.cap_height}, text, style);
    return width;
}

float draw_text_fit(ImVec2 at, float width, std::string_view text, const TextStyle& style) {
    const PlacedFont placed = placed_font(style.face, style.px);
    if (width_of(placed, text) <= width) return draw_text(at, text, style);
    const auto cut_at = [text](std::size_t end) {
        std::string cut(text.substr(0, end));
        while (!cut.empty() && cut.back() == ' ') cut.pop_back();
        return cut += kEllipsis;
    };
    // Binary search for the longest prefix that fits, because a name may be very long.
    std::size_t fits = 0, too_long = text.size();
    for (;;) {
        std::size_t middle = character_before(text, fits + (too_long - fits) / 2 + 1);
        if (middle <= fits) middle = character_before(text, too_long);
        if (middle <= fits) break;
        if (width_of(placed, cut_at(middle)) <= width)
            fits = middle;
        else
            too_long = middle;
    }
    const float drawn = draw_text(at, cut_at(fits), style);
    note_shortened_text(text);
    return drawn;
}

void draw_lines(ImVec2 at, std::span<const std::string_view> lines, const TextStyle& style,
                float leading) {
    for (const std::string_view line : lines) {
        draw_text(at, line, style);
        at.y += leading;
    }
}

TextStyle shrunk(TextStyle style, std::string_view text, float width) {
    const float wanted = text_width(text, style);
    if (wanted > width) style.px *= std::max(width, 0.0f) / wanted;
    return style;
}

TextStyle shrunk(TextStyle style, std::string_view text, float width, float least) {
    const float wanted = text_width(text, style);
    if (wanted > width)
        style.px = std::max(std::min(style.px, least), std::floor(style.px * width / wanted));
    return style;
}

std::string longest_that_fits(std::span<const std::string> texts, float width,
                              const TextStyle& style) {
    const std::string_view found = first_that_fits(texts, width, style.face, style.px);
    return found.empty() ? texts.back() : std::string(found);
}

void draw_box(const Rect& rect, ImU32 fill, ImU32 edge, float width, float radius) {
    fill_rect(rect, fill, radius);
    stroke_rect(rect, edge, width, radius);
}

void draw_share(const Rect& bar, float share, ImU32 ground, ImU32 color, float radius) {
    fill_rect(bar, ground, radius);
    fill_rect({bar.x, bar.y, share * bar.w, bar.h}, color, radius);
}

void draw_card(const Look& look, const Rect& rect) {
    fill_rect(rect, look.colors().panel, look.card_corner());
}

void draw_rule(const Look& look, ImVec2 from, float width) {
    fill_rect({from.x, std::round(from.y), width, look.line()}, look.colors().line);
}

void draw_row_mark(const Look& look, const Rect& row, bool chosen, bool hovered) {
    const Palette& colors = look.colors();
    if (chosen || hovered)
        fill_rect(row, chosen ? colors.accent_tint : colors.raised, look.corner());
    if (chosen) stroke_rect(row, colors.accent, look.frame(), look.corner());
}

void fill_rect(const Rect& rect, ImU32 color, float radius) {
    if (measures()) return;
    const float ends = radius > 0 ? std::ceil(radius) + 1 : 0;  // rows with rounded corners
    const Rect middle{rect.x, rect.y + ends, rect.w, rect.h - 2 * ends};
    if (!is_worth_clearing(middle, color)) {
        draw_list()->AddRectFilled(rect.min(), rect.max(), color, radius);
        return;
    }
    if (ends > 0) {
        draw_list()->AddRectFilled(rect.min(), {rect.right(), middle.y}, color, radius,
                                   ImDrawFlags_RoundCornersTop);
        draw_list()->AddRectFilled({rect.x, middle.bottom()}, rect.max(), color, radius,
                                   ImDrawFlags_RoundCornersBottom);
    }
    add_clear(draw_list(), middle, color);
}

void stroke_rect(const Rect& rect, ImU32 color, float width, float radius) {
    if (measures()) return;
    // AddRect centres the line on the edge; here the whole line lies inside the rectangle.
    const Rect middle = rect.inset(width / 2);
    draw_list()->PathRect(middle.min(), middle.max(), std::max(radius - width / 2, 0.0f));
    stroke_path(color, width, true);
}

void dashed_rect(const Rect& rect, ImU32 color, float width, float dash) {
    if (measures()) return;
    const Rect middle = rect.inset(width / 2);
    const auto side = [&](ImVec2 from, ImVec2 to) {
        // A whole number of periods (dash and gap), with a gap at each corner.
        const float length = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
        const int count = std::max(1, static_cast<int>(std::lround(length / (1.75f * dash))));
        const float step = 1.0f / static_cast<float>(count);
        for (int i = 0; i < count; ++i) {
            const float begin = (static_cast<float>(i) + 0.215f) * step;
            const float end = (static_cast<float>(i) + 0.785f) * step;
            draw_list()->AddLine(
                {from.x + (to.x - from.x) * begin, from.y + (to.y - from.y) * begin},
                {from.x + (to.x - from.x) * end, from.y + (to.y - from.y) * end}, color, width);
        }
    };
    const ImVec2 a = middle.min(), c = middle.max();
    side(a, {c.x, a.y});
    side({c.x, a.y}, c);
    side(c, {a.x, c.y});
    side({a.x, c.y}, a);
}

void hatch_rect(const Rect& rect, ImU32 color, float spacing) {
    if (measures()) return;
    // Lines at 45 degrees. `spacing` is their distance in pixels, measured at a right angle to
    // them.
    const float step = std::max(spacing, 2.0f) * 1.41421356f;
    const float first = std::floor((rect.x + rect.y) / step) * step;
    for (float sum = first; sum < rect.right() + rect.bottom(); sum += step) {
        ImVec2 from{sum - rect.bottom(), rect.bottom()};
        ImVec2 to{sum - rect.y, rect.y};
        if (clip_line(rect, from, to)) draw_list()->AddLine(from, to, color, 1.0f);
    }
}

void draw_hazard_mark(const Palette& colors, ImVec2 center, float size, bool error) {
    if (measures()) return;
    const float half = size / 2, edge = std::max(1.0f, size * 0.14f);
    fill_diamond(center, half + edge, colors.panel);
    fill_diamond(center, half, colors.accent);
    if (!error) fill_diamond(center, half - 1.4f * edge, colors.panel);
}

void draw_wrong_mark(const Palette& colors, const Rect& rect, float width) {
    if (measures()) return;
    const auto stroke = [&](ImU32 color, float thickness, float reach) {
        const Rect box = rect.inset(-reach);
        draw_list()->AddLine(box.min(), box.max(), color, thickness);
        draw_list()->AddLine({box.right(), box.y}, {box.x, box.bottom()}, color, thickness);
    };
    const float edge = std::max(1.0f, width * 0.5f);
    stroke(colors.panel, width + 2 * edge, edge);
    stroke(colors.accent, width, 0);
}

}  // namespace tilereel
