#include "app/panels/overlay/register_banks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tilereel {
namespace {

constexpr int kRows = 4, kColumns = 8;  // the drawn part of a thread's tile
constexpr float kHeight = 13.5f;        // multiple of the font size

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
    void arrow(ImVec2 from, ImVec2 to, ImU32 color) const {
        const float length = std::hypot(to.x - from.x, to.y - from.y), head = 0.4f * px;
        if (length < 1) return;
        const ImVec2 along{(to.x - from.x) / length, (to.y - from.y) / length};
        const ImVec2 neck{to.x - along.x * head, to.y - along.y * head};
        draw_list()->AddLine(from, neck, color, look.px(2));
        const ImVec2 side{-along.y * head * 0.6f, along.x * head * 0.6f};
        draw_list()->AddTriangleFilled(to, {neck.x + side.x, neck.y + side.y},
                                       {neck.x - side.x, neck.y - side.y}, color);
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
    const Rect multiply{area.right() - 5.2f * px, area.y + 1.2f * px + apart, 5.2f * px, h};
    for (std::size_t i = 0; i < kSources.size(); ++i) {
        const float y = area.y + 1.2f * px + static_cast<float>(i) * apart;
        const Rect rect{area.x, y, std::min(w, 6.4f * px), h};
        pen.words({rect.x, y - 0.7f * px}, kSources[i].name);
        pen.box(rect, kSources[i].role, kSources[i].holds, false);
        const float to = multiply.y + multiply.h * (0.25f + 0.25f * static_cast<float>(i));
        pen.arrow({rect.right() + 0.4f * px, rect.center().y}, {multiply.x - 0.2f * px, to},
                  pen.look.colors().solid(kSources[i].role));
    }
    pen.box(multiply, Role::kC, "a*b+sum", true);
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
    ImVec2 before{};
    for (int i = 0; i < kRows * kColumns; ++i) {
        const int row = i / kColumns;
        const int column = row % 2 == 0 ? i % kColumns : kColumns - 1 - i % kColumns;
        const Rect cell = cell_of(tile, row, column);
        fill_rect(cell, colors.c_tint, pen.look.px(3));
        const bool turns = i > 0 && i % kColumns == 0;
        if (i > 0) {
            const ImU32 color = turns ? colors.b : colors.a;
            if (i % kColumns == kColumns - 1 || turns)
                pen.arrow(before, cell.center(), color);
            else
                draw_list()->AddLine(before, cell.center(), color, pen.look.px(2));
        }
        before = cell.center();
    }
    pen.words({area.x, tile.bottom() + 1.1f * px}, "along a row a is used again, at a turn b");
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
