// Arrays with several planes: one plane of each array is drawn large, and all planes are drawn
// small in their order.
#include "app/stage/layout_parts.h"

namespace tilereel::stage {
namespace {

constexpr float kSmallTile = 44;   // units: largest width of a small plane
constexpr float kLeastTile = 18;   // units: smallest width of a small plane
constexpr float kAroundTile = 18;  // units: its margin, and the gaps around its text

// The width of the text beside a small plane: two lines.
float words_width(const Measure& m) { return m.f(m.small ? 64 : 68); }

}  // namespace

float small_width(const Measure& m) { return m.u(kLeastTile) + m.u(kAroundTile) + words_width(m); }
float small_height(const Measure& m) { return m.u(6) + m.f(m.small ? 26 : 32); }
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
    const auto n = static_cast<float>(planes.size());
    const float w = in_a_row ? area.w / n : area.w, h = in_a_row ? area.h : area.h / n;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        SharedView& view = planes[i];
        const auto place = static_cast<float>(i);
        view.small = true;
        view.box = {area.x + (in_a_row ? place * w : 0), area.y + (in_a_row ? 0 : place * h), w, h};
        const float margin = m.u(3);
        const float tile_w = std::clamp(view.box.w - words_width(m) - m.u(kAroundTile),
                                        m.u(kLeastTile), m.u(kSmallTile));
        const float tile_h = std::min(view.box.h, m.u(kSmallTile) * 1.5f) - m.u(9);
        view.pitch_x = tile_w / static_cast<float>(view.columns);
        view.pitch_y = tile_h / static_cast<float>(view.rows);
        if (!view.by_bank) view.pitch_x = view.pitch_y = std::min(view.pitch_x, view.pitch_y);
        const float height = view.pitch_y * static_cast<float>(view.rows);
        view.window = {view.box.x + margin, view.box.center().y - height / 2,
                       view.pitch_x * static_cast<float>(view.columns), height};
        out.arrays.push_back(view);
    }
}

}  // namespace tilereel::stage
