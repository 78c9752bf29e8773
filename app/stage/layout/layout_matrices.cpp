// The size of the cells of A, B and C, and the part that is shown if not all cells fit.
#include "app/stage/layout/layout_parts.h"
#include "app/stage/layout/stage_layout.h"

namespace tilereel::stage {
namespace {

constexpr float kLargestPitch = 104;  // units; so large that a few elements fill the stage
constexpr float kDigitWidth = 0.6f;   // width of a digit, as a multiple of the font size
constexpr float kTypeInCell = 0.72f;  // font size as a share of the cell's height
constexpr float kWidestCell = 2;      // width as a multiple of the height

// Whole pixels if there are gaps between cells; otherwise sixteenths of a pixel.
float whole_pitch(float pitch, float apart_from) {
    return pitch >= apart_from ? std::floor(pitch)
                               : std::max(std::floor(pitch * 16) / 16, 1.0f / 64);
}

// The largest pitch at which `inner` cells (at least `least` pixels wide) and `outer` cells fit.
float fitting_pitch(float length, std::uint32_t inner, std::uint32_t outer, float least) {
    const float together = length / static_cast<float>(inner + outer);
    if (together * static_cast<float>(inner) >= least) return together;
    return std::max(length - least, length * 0.25f) / static_cast<float>(outer);
}

Split split(float length, float inner_want, float outer_want, float inner_least) {
    Split s;
    s.inner = std::min(inner_want, std::max(length / 2, length - outer_want));
    s.outer = std::min(outer_want, length - std::max(s.inner, inner_least));
    s.outer = std::max(s.outer, std::min(outer_want, length / 4));
    return s;
}

// The font size at which all values fit. 0 if a value does not fit.
float type_of_values(const Measure& m, float pitch_x, float pitch_y) {
    const float inputs = cell_type(m.look, pitch_x, pitch_y, m.plan.digits_of_inputs());
    const float sums = cell_type(m.look, pitch_x, pitch_y, m.plan.digits_of_sums());
    return std::min(inputs, sums);
}

MatrixFit fit_with_pitch(const Measure& m, const Room& room, float pitch_x, float pitch_y) {
    const Launch& launch = m.trace.launch;
    const auto px = [](std::uint32_t n, float pitch) { return static_cast<float>(n) * pitch; };
    MatrixFit fit{pitch_x, pitch_y};
    fit.x = split(room.width, px(launch.k, pitch_x), px(launch.n, pitch_x), room.least_w);
    fit.y = split(room.height, px(launch.k, pitch_y), px(launch.m, pitch_y), room.least_h);
    fit.type = type_of_values(m, pitch_x, pitch_y);
    return fit;
}

// Shows all cells. They are square, or wider if the values need it.
MatrixFit fit_whole(const Measure& m, const Room& room) {
    const Launch& launch = m.trace.launch;
    const float most = m.u(kLargestPitch);
    const float across =
        std::min(fitting_pitch(room.width, launch.k, launch.n, room.least_w), most);
    const float down = std::min(fitting_pitch(room.height, launch.k, launch.m, room.least_h), most);
    const float square = whole_pitch(std::min(across, down), m.look.snug());
    MatrixFit fit = fit_with_pitch(m, room, square, square);
    if (fit.type >= m.good_type()) return fit;
    const float high = whole_pitch(down, m.look.snug());
    const float type = std::min(high * kTypeInCell, m.good_type());
    const float wanted =
        std::ceil(type * kDigitWidth * static_cast<float>(m.plan.digits_of_sums())) + m.u(1);
    const float wide = std::floor(std::min({across, high * kWidestCell, wanted}));
    if (wide <= high) return fit;
    const MatrixFit rectangles = fit_with_pitch(m, room, wide, high);
    return rectangles.type > fit.type ? rectangles : fit;
}

// The number of visible cells along one side of the stage: along K, and along C.
struct Shown {
    std::uint32_t inner = 0, outer = 0;
    bool all = false;  // the whole watched part is visible
};
Shown shown_cells(float length, float pitch, float least, std::uint32_t tile_inner,
                  std::uint32_t tile_outer, std::uint32_t all_inner, std::uint32_t all_outer) {
    const auto cells = [pitch](float px) {
        return static_cast<std::uint32_t>(std::max(0.0f, std::floor(px / pitch)));
    };
    const auto beside = [&](std::uint32_t inner) {
        return cells(length - std::max(static_cast<float>(inner) * pitch, least));
    };
    Shown shown;
    shown.inner = std::min(all_inner, std::max(tile_inner, cells(least)));
    shown.all = beside(shown.inner) >= tile_outer;
    if (!shown.all) {  // both are reduced, but not below the width of the corner's text
        const std::uint32_t half = cells(length / 2);
        shown.inner = std::min(all_inner, std::max(std::min(tile_inner, half), cells(least)));
        const std::uint32_t left = beside(shown.inner);
        shown.outer = std::min(left, all_outer);
        return shown;
    }
    shown.outer = std::min(tile_outer, all_outer);
    // The remaining room goes to K first, then to C.
    while (shown.inner < all_inner && beside(shown.inner + 1) >= shown.outer) ++shown.inner;
    shown.outer = std::min(all_outer, std::max(shown.outer, beside(shown.inner)));
    return shown;
}

struct Crop {
    MatrixFit fit;
    bool all = false;  // the whole watched part is visible
    std::uint32_t least_cells = 0;
};
Crop crop_at(const Measure& m, const Room& room, const Watched& watched, float type) {
    const Launch& launch = m.trace.launch;
    const float pitch_y = std::ceil(type / kTypeInCell);
    const int digits = std::max(m.plan.digits_of_inputs(), m.plan.digits_of_sums());
    const float wanted = std::ceil(type * kDigitWidth * static_cast<float>(digits)) + m.u(1);
    const float pitch_x = std::max(wanted, pitch_y);
    const std::uint32_t k = watched.k1 - watched.k0;
    const Shown x =
        shown_cells(room.width, pitch_x, room.least_w, k, watched.c.columns(), launch.k, launch.n);
    const Shown y =
        shown_cells(room.height, pitch_y, room.least_h, k, watched.c.rows(), launch.k, launch.m);
    Crop crop;
    crop.fit = {pitch_x, pitch_y};
    crop.fit.x = {static_cast<float>(x.inner) * pitch_x, static_cast<float>(x.outer) * pitch_x};
    crop.fit.y = {static_cast<float>(y.inner) * pitch_y, static_cast<float>(y.outer) * pitch_y};
    crop.fit.cropped = true;
    crop.fit.type = type_of_values(m, pitch_x, pitch_y);
    crop.all = x.all && y.all;
    crop.least_cells = std::min({x.inner, x.outer, y.inner, y.outer});
    const auto share = [](std::uint32_t part, std::uint32_t of) {
        return static_cast<float>(part) / static_cast<float>(std::max(of, 1u));
    };
    crop.fit.share = (share(x.outer, launch.n) * share(y.outer, launch.m) +
                      share(x.inner, launch.k) * share(y.outer, launch.m) +
                      share(x.outer, launch.n) * share(y.inner, launch.k)) /
                     3;
    return crop;
}

}  // namespace

float cell_type(const Look& look, float w, float h, int digits) {
    const float fits =
        std::min(w / (kDigitWidth * static_cast<float>(std::max(digits, 1))), h * kTypeInCell);
    // A value may extend into the 2 px gap between cells, but not into the next cell.
    if (fits < look.px(kLeastType)) return 0;
    const float most = std::max(look.font_px(12), std::min(w, h) * 0.42f);
    return std::min(fits, most);
}

// Shows all cells if their values are readable. Otherwise crops to the watched part, with the
// largest font size at which all of it is visible or, if there is none, with the smallest readable
// one. If that is not clearly better, shows all cells.
MatrixFit fit_matrices(const Measure& m, const Room& room, const Watched& watched) {
    const MatrixFit all = fit_whole(m, room);
    if (all.type >= 0.8f * m.good_type() || watched.empty()) return all;
    Crop best;
    for (float type = m.good_type(); type >= m.least_type() && !best.all; type -= m.look.px(0.5f))
        if (const Crop crop = crop_at(m, room, watched, type); crop.all && crop.fit.type > 0)
            best = crop;
    if (!best.all) best = crop_at(m, room, watched, m.least_type() * 1.1f);
    constexpr std::uint32_t kFewest = 3;  // cells; fewer are not useful
    if (best.fit.type <= 0 || best.least_cells < std::min(kFewest, m.trace.launch.k)) return all;
    return best.fit.type > 1.15f * all.type ? best.fit : all;
}

float first_in_sight(std::uint32_t begin, std::uint32_t end, std::uint32_t focus, float shown,
                     std::uint32_t count) {
    const float last = std::max(0.0f, static_cast<float>(count) - shown);
    const auto cells = static_cast<std::uint32_t>(std::max(1.0f, std::floor(shown)));
    const std::uint32_t length = std::max(end - begin, 1u);
    if (length > cells) {  // show the part page by page
        const std::uint32_t at = std::clamp(focus, begin, end - 1) - begin;
        return std::min(static_cast<float>(std::min(begin + at / cells * cells, end - cells)),
                        last);
    }
    const std::uint32_t page = cells / length * length;  // a page contains whole parts
    return std::min(static_cast<float>(begin / page * page), last);
}

}  // namespace tilereel::stage
