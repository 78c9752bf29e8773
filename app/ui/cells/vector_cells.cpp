#include "app/ui/cells/vector_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tilereel {
namespace {

constexpr double kPi = std::numbers::pi;

void rounded_box(cairo_t* picture, const Rect& box, double radius) {
    const double r = std::clamp(radius, 0.0, 0.5 * std::min(box.w, box.h));
    const double x0 = box.x, y0 = box.y, x1 = box.right(), y1 = box.bottom();
    cairo_new_sub_path(picture);
    cairo_arc(picture, x1 - r, y0 + r, r, -kPi / 2, 0);
    cairo_arc(picture, x1 - r, y1 - r, r, 0, kPi / 2);
    cairo_arc(picture, x0 + r, y1 - r, r, kPi / 2, kPi);
    cairo_arc(picture, x0 + r, y0 + r, r, kPi, 1.5 * kPi);
    cairo_close_path(picture);
}

// Draws one cell. Lengths in pixels.
class CellPen {
  public:
    CellPen(cairo_t* picture, const Palette& colors, float scale, const Rect& box, ColorRole role,
            float radius, double alpha)
        : picture_(picture),
          colors_(colors),
          scale_(scale),
          box_(box),
          small_(std::min(box.w, box.h)),
          radius_(std::min(radius, 0.25f * small_)),
          solid_(colors.solid(role)),
          tint_(colors.tint(role)),
          alpha_(alpha) {}

    void draw(CellLook look, float level) const;

  private:
    void fill(ImU32 color) const {
        set_source(picture_, color, alpha_);
        rounded_box(picture_, box_, radius_);
        cairo_fill(picture_);
    }
    void outline(ImU32 color, float width) const {
        set_source(picture_, color, alpha_);
        cairo_set_line_width(picture_, width);
        rounded_box(picture_, box_.inset(width / 2), radius_ - width / 2);
        cairo_stroke(picture_);
    }
    void outlined(ImU32 inside, ImU32 edge, float width) const {
        fill(inside);
        outline(edge, width);
    }
    void dashed(ImU32 color) const;
    // Lines at 45 degrees through the whole cell. With `slope` 1 they rise to the right, with -1
    // they fall to the right.
    void lines(ImU32 color, float period, float width, float slope) const;
    void stripes(ImU32 color) const {
        const float period = std::clamp(0.34f * small_, 6 * scale_, 14 * scale_);
        lines(color, period, period / 2, -1);
    }
    // Draws in the colour what path() adds, clipped to the cell.
    template <class Path>
    void within(ImU32 color, void (*paint)(cairo_t*), Path&& path) const {
        cairo_save(picture_);
        rounded_box(picture_, box_, radius_);
        cairo_clip(picture_);
        set_source(picture_, color, alpha_);
        path();
        paint(picture_);
        cairo_restore(picture_);
    }
    void fill_within(const Rect& part, ImU32 color) const {
        within(color, cairo_fill,
               [&] { cairo_rectangle(picture_, part.x, part.y, part.w, part.h); });
    }
    void corner(ImU32 color) const;
    void dot(ImU32 color) const;
    void bar(float level) const;
    void partial(float level) const {
        const float height = level * box_.h;
        fill(tint_);
        fill_within({box_.x, box_.bottom() - height, box_.w, height}, mix(tint_, solid_, 0.62f));
    }

    cairo_t* picture_;
    const Palette& colors_;
    float scale_;
    Rect box_;
    float small_, radius_;
    ImU32 solid_, tint_;
    double alpha_;
};

void CellPen::dashed(ImU32 color) const {
    const float width = std::min(1.25f * scale_, 0.2f * small_);
    const Rect middle = box_.inset(width / 2);
    set_source(picture_, color, alpha_);
    cairo_set_line_width(picture_, width);
    const auto side = [&](float x0, float y0, float x1, float y1) {
        // A whole number of periods, with a gap at each corner. The dash is 0.57 of a period.
        const double length = std::hypot(x1 - x0, y1 - y0);
        const double period = length / std::max(1.0, std::floor(length / (7.0 * scale_) + 0.5));
        const std::array dashes = {0.57 * period, 0.43 * period};
        cairo_set_dash(picture_, dashes.data(), dashes.size(), -0.215 * period);
        cairo_move_to(picture_, x0, y0);
        cairo_line_to(picture_, x1, y1);
        cairo_stroke(picture_);
    };
    side(middle.x, middle.y, middle.right(), middle.y);
    side(middle.right(), middle.y, middle.right(), middle.bottom());
    side(middle.right(), middle.bottom(), middle.x, middle.bottom());
    side(middle.x, middle.bottom(), middle.x, middle.y);
    cairo_set_dash(picture_, nullptr, 0, 0);
}

void CellPen::lines(ImU32 color, float period, float width, float slope) const {
    const ImVec2 center = box_.center();
    const float reach = (box_.w + box_.h) / 2, step = period * std::numbers::sqrt2_v<float>;
    const int count = static_cast<int>(reach / step) + 1;
    within(color, cairo_stroke, [&] {
        cairo_set_line_width(picture_, width);
        // The centre of the cell lies between two stripes, but on a line of the hatch.
        for (int i = -count; i <= count; ++i) {
            const float shift = (static_cast<float>(i) + (slope < 0 ? 0.5f : 0.0f)) * step;
            cairo_move_to(picture_, center.x + shift - reach, center.y + slope * reach);
            cairo_line_to(picture_, center.x + shift + reach, center.y - slope * reach);
        }
    });
}

void CellPen::corner(ImU32 color) const {
    const double leg = 0.36 * small_;
    within(color, cairo_fill, [&] {
        cairo_move_to(picture_, box_.right() - leg, box_.bottom());
        cairo_line_to(picture_, box_.right(), box_.bottom() - leg);
        cairo_line_to(picture_, box_.right(), box_.bottom());
    });
}

void CellPen::dot(ImU32 color) const {
    if (small_ < 7) return;
    set_source(picture_, color, alpha_);
    cairo_arc(picture_, box_.center().x, box_.center().y, 1.25 * scale_, 0, 2 * kPi);
    cairo_fill(picture_);
}

void CellPen::bar(float level) const {
    const float thick = std::min(3 * scale_, 0.25f * box_.h);
    fill(tint_);
    if (level < 0.002f) return;
    fill_within(
        {box_.x + scale_, box_.bottom() - scale_ - thick, level * (box_.w - 2 * scale_), thick},
        solid_);
}

void CellPen::draw(CellLook look, float level) const {
    const float border = std::min(1.5f * scale_, 0.2f * small_);
    switch (look) {
        case CellLook::kNothing:
            return;
        case CellLook::kIdle:
            return fill(colors_.cell);
        case CellLook::kNeverWritten:
            fill(colors_.cell);
            return dot(colors_.ink3);
        case CellLook::kStale:
            return dashed(colors_.ink3);
        case CellLook::kValid:
            return outlined(tint_, solid_, border);
        case CellLook::kBeingCopied:
            return dashed(solid_);
        case CellLook::kCopied:
            fill(tint_);
            return corner(solid_);
        case CellLook::kInFlight:
        case CellLook::kSolid:
            return fill(solid_);
        case CellLook::kOff:
            return lines(colors_.ink3, 4 * scale_, scale_, 1);
        case CellLook::kConflictCurrent:
            return outlined(colors_.conflict, colors_.ink, 2 * scale_);
        case CellLook::kConflictWaiting:
            return outlined(colors_.conflict_tint, colors_.conflict, border);
        case CellLook::kBand:
            return fill(tint_);
        case CellLook::kPartial:
            return partial(level);
        case CellLook::kPartialBar:
            return bar(level);
        case CellLook::kNotLoaded:
            fill(colors_.cell);
            stripes(tint_);
            return outline(solid_, border);
        case CellLook::kStaleNotLoaded:
            stripes(colors_.cell);
            return dashed(colors_.ink3);
    }
}

}  // namespace

void set_source(cairo_t* picture, ImU32 color, double alpha) {
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
    cairo_set_source_rgba(picture, c.x, c.y, c.z, c.w * alpha);
}

void draw_vector_cells(cairo_t* picture, const QueuedGrid& queued) {
    const CellGrid& grid = queued.grid;
    const Palette& colors = palette(queued.theme);
    for (std::uint32_t row = 0; row < grid.rows; ++row)
        for (std::uint32_t column = 0; column < grid.columns; ++column) {
            const Cell& cell = grid.cells[std::size_t{row} * grid.columns + column];
            if (cell.look == CellLook::kNothing) continue;
            const Rect box = cell_rect(grid, row, column);
            const double alpha = 1.0 - cell.dim / 255.0;
            if (cell.look == CellLook::kInFlight) {  // a gap in the panel's colour around it
                set_source(picture, colors.panel, alpha);
                cairo_rectangle(picture, box.x, box.y, box.w, box.h);
                cairo_fill(picture);
            }
            CellPen(picture, colors, queued.scale, box, cell.role, grid.radius, alpha)
                .draw(cell.look, static_cast<float>(cell.level) / 255);
        }
}

void draw_vector_cells(cairo_t* picture, const QueuedMoving& queued) {
    const Palette& colors = palette(queued.theme);
    for (const MovingCell& cell : queued.cells) {
        const double alpha = cell.alpha / 255.0;
        Rect box = cell.rect;
        if (cell.look == CellLook::kConflictCurrent) box = box.inset(-2 * queued.scale);
        if (cell.look == CellLook::kInFlight) {
            const float around = 1.5f * queued.scale;
            set_source(picture, colors.panel, alpha);
            rounded_box(picture, box.inset(-around), cell.radius + around);
            cairo_fill(picture);
        }
        CellPen(picture, colors, queued.scale, box, cell.role, cell.radius, alpha)
            .draw(cell.look, 1);
    }
}

}  // namespace tilereel
