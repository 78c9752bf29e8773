// Multi-buffered arrays: one plane of each array is drawn large, and all of its planes are drawn
// small in their order. The small ones are called the ring.
#include "app/stage/layout/layout_parts.h"

namespace tilereel::stage {
namespace {

constexpr float kSmallTile = 44;   // units: largest width of a small plane
constexpr float kLeastTile = 18;   // units: smallest width of a small plane
constexpr float kAroundTile = 18;  // units: its margin, and the gaps around its text

// The width of the text beside a small plane: two lines.
float words_width(const Measure& m) { return m.f(m.small ? 64 : 68); }

}  // namespace

float small_width(const Measure& m) { return m.u(kLeastTile) + m.u(kAroundTile) + words_width(m); }
float small_height(const Measure& m) { return m.small ? m.u(2) + m.f(26) : m.u(6) + m.f(32); }
float ring_below(const Measure& m) { return m.u(12) + small_height(m); }

MultiBufferPlaces ring_places(const Measure& m, float column, float height, float largest_pitch) {
    constexpr float kLeastPitch = 2;
    for (float pitch = std::floor(largest_pitch); pitch >= kLeastPitch; --pitch) {
        MultiBufferPlaces places{pitch};
        float used = 0;
        bool wide = false;
        for (const PlaneCells& array : m.cells.of_arrays) {
            const float w = pitch * array.columns, h = pitch * array.rows;
            wide = wide || w > column;
            const float in_column = std::max(h, small_height(m) * array.planes);
            const float in_row = h + ring_below(m);
            const bool fits_beside = column - w - m.u(16) >= small_width(m);
            const bool fits_below = column >= small_width(m) * array.planes;
            places.beside.push_back(array.planes > 1 && fits_beside &&
                                    (in_column <= in_row || !fits_below));
            wide = wide || (array.planes > 1 && !fits_beside && !fits_below);
            used += array.planes == 1 ? h : places.beside.back() ? in_column : in_row;
        }
        if (!wide && used <= height) return places;
    }
    return {0, std::vector<bool>(m.cells.of_arrays.size())};
}

void add_ring(const Measure& m, std::vector<SharedView> planes, const Rect& area, bool in_a_row,
              StageLayout& out) {
    const auto n = static_cast<std::uint32_t>(planes.size());
    const CellWindow boxes = CellWindow::filling(area, in_a_row ? 1 : n, in_a_row ? n : 1);
    for (std::uint32_t i = 0; i < n; ++i) {
        SharedView& view = planes[i];
        view.small = true;
        view.box = boxes.cell({i / boxes.columns, i % boxes.columns});
        const float margin = m.u(3);
        const float tile_w = std::clamp(view.box.w - words_width(m) - m.u(kAroundTile),
                                        m.u(kLeastTile), m.u(kSmallTile));
        const float tile_h = std::min(view.box.h, m.u(kSmallTile) * 1.5f) - m.u(9);
        ImVec2 pitch{tile_w / static_cast<float>(view.columns),
                     tile_h / static_cast<float>(view.rows)};
        if (!view.by_bank) pitch.x = pitch.y = std::min(pitch.x, pitch.y);
        const float height = pitch.y * static_cast<float>(view.rows);
        view.show_all({view.box.x + margin, view.box.center().y - height / 2}, pitch);
        out.arrays.push_back(view);
    }
}

}  // namespace tilereel::stage
