#include "app/panels/overlay/register_banks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tilereel {
namespace {

constexpr int kRows = 4, kColumns = 8;  // the drawn part of a thread's tile
constexpr const char* kArrow = "\xe2\x86\x92";
constexpr float kHeight = 13.5f;  // multiple of the font size

struct Pen {
    const Look& look;
    float px;
    void box(const Rect& rect, Role role, const std::string& text, bool solid) const {
        const Palette& colors = look.colors();
        draw_box(rect, solid ? colors.solid(role) : colors.tint(role), colors.solid(role),
                 look.frame(), look.px(4));
        draw_text(rect.center(), text,
                  {Face::kMonoBold, px, solid ? colors.on : colors.ink, Align::kCenter});
    }
    void words(ImVec2 at, const std::string& text, Align align = Align::kLeft) const {
        draw_text(at, text, {Face::kRegular, 0.85f * px, look.colors().ink2, align});
    }
};

// Draws the two register banks and the reuse cache, and the operand that a multiply-add reads from
// each.
void draw_banks(const Pen& pen, const Rect& area) {
    const float px = pen.px, w = 0.62f * area.w, h = 1.9f * px, apart = 3.6f * px;
    struct Source {
        const char *name, *holds;
        Role role;
    };
    constexpr std::array<Source, 3> kSources = {{{"even registers", "sum", Role::kC},
                                                 {"odd registers", "b", Role::kB},
                                                 {"reuse cache", "a, again", Role::kA}}};
    const float first = area.y + 1.2f * px, box = std::min(w, 6.4f * px);
    for (std::size_t i = 0; i < kSources.size(); ++i) {
        const Rect rect{area.x, first + static_cast<float>(i) * apart, box, h};
        pen.words({rect.x, rect.y - 0.7f * px}, kSources[i].name);
        pen.box(rect, kSources[i].role, kSources[i].holds, false);
        pen.words({rect.right() + 0.5f * px, rect.center().y}, kArrow);
    }
    pen.box({area.x + box + 2 * px, first, 5.2f * px, 2 * apart + h}, Role::kC, "a*b+sum", true);
    pen.words({area.x, area.y + 1.2f * px + 3 * apart}, "a bank gives one operand a cycle");
}

Rect cell_of(const Rect& tile, int row, int column) {
    const float w = tile.w / kColumns, h = tile.h / kRows;
    return {tile.x + static_cast<float>(column) * w + 1, tile.y + static_cast<float>(row) * h + 1,
            w - 2, h - 2};
}

// In a row of the tile `a` stays in the reuse cache; at the end of a row `b` does.
void draw_serpentine(const Pen& pen, const Rect& area) {
    const Palette& colors = pen.look.colors();
    const float px = pen.px, side = 1.9f * px;
    const Rect tile{area.x + side, area.y + 1.2f * px + side, area.w - side, 7.2f * px};
    pen.words({area.x + side, area.y + 0.5f * px}, "the order through a thread's sums");
    for (int row = 0; row < kRows; ++row) {
        const Rect of = cell_of(tile, row, 0);
        pen.box({area.x, of.y, side - 0.4f * px, of.h}, Role::kA,
                std::string("a") + char('0' + row), false);
    }
    for (int column = 0; column < kColumns; ++column) {
        const Rect of = cell_of(tile, 0, column);
        pen.box({of.x, tile.y - side, of.w, side - 0.4f * px}, Role::kB,
                std::string("b") + char('0' + column), false);
    }
    for (int i = 0; i < kRows * kColumns; ++i) {
        const int row = i / kColumns;
        const int column = row % 2 == 0 ? i % kColumns : kColumns - 1 - i % kColumns;
        const Rect cell = cell_of(tile, row, column);
        fill_rect(cell, colors.c_tint, pen.look.px(3));
        const bool turns = i > 0 && i % kColumns == 0;
        draw_text(cell.center(), std::to_string(i + 1),
                  {turns ? Face::kMonoBold : Face::kMono, 0.85f * px, turns ? colors.b : colors.a,
                   Align::kCenter});
    }
    pen.words({area.x, tile.bottom() + 1.1f * px},
              "along a row a is used again, at 9, 17 and 25 b is");
}

}  // namespace

float register_banks_height(float px) { return kHeight * px; }

void draw_register_banks(const Look& look, ImVec2 at, float width, float px) {
    const Pen pen{look, px};
    const float half = std::min(0.5f * width - px, 24 * px);
    draw_banks(pen, {at.x, at.y, std::min(half, 17 * px), kHeight * px});
    draw_serpentine(pen, {at.x + half + 2 * px, at.y, half, kHeight * px});
}

}  // namespace tilereel
