#pragma once
// Types and functions that the layout of the matrices and the layout of shared memory share.
#include <algorithm>
#include <cmath>

#include "app/stage/layout/stage_layout.h"

namespace tilereel::stage {

// The size of one plane in cells, padding included.
struct PlaneCells {
    float rows = 0, columns = 0, planes = 1;
};
// The size of all shared arrays in cells, padding included.
struct SharedCells {
    float columns = 1, rows = 1;        // of the widest array; of all arrays together
    float planes = 0;                   // of all arrays
    float words = 0;                    // cells of one plane of each array
    std::vector<PlaneCells> of_arrays;  // in the order of StagePlan::shared()
    [[nodiscard]] float arrays() const { return static_cast<float>(of_arrays.size()); }
    [[nodiscard]] bool rings() const { return planes > arrays(); }
};
[[nodiscard]] SharedCells shared_cells(const Trace& trace, const StagePlan& plan);

// What a layout depends on, and lengths that depend on the size of the window and of the text. All
// results are in pixels.
struct Measure {
    const Look& look;
    const Rect& stage;
    const Trace& trace;
    const StagePlan& plan;
    std::uint32_t banks;  // of the chosen generation; at most kBankColumns
    SharedCells cells = shared_cells(trace, plan);
    // A small window or large text: short texts.
    bool small = stage.h / look.scale < 480 + 140 * look.text ||
                 stage.w / look.scale < 600 + 300 * look.text;
    // The stage is narrow for this text size.
    bool crowded = stage.w / look.scale < 560 * look.text;
    FragmentShape fragments{};  // of one lane: below the banks or, if small, the matrices
    // Many warps are drawn as compact tokens.
    [[nodiscard]] bool many_warps() const { return trace.launch.warps() > 8; }
    [[nodiscard]] float u(float units) const { return std::round(look.px(units)); }
    [[nodiscard]] float f(float units) const { return std::round(look.font_px(units)); }
    [[nodiscard]] float left() const { return u(small ? 20 : 24); }
    [[nodiscard]] float right() const { return u(small ? 20 : 16); }
    [[nodiscard]] float gap() const { return std::max(u(28), small ? f(26) : 0); }
    [[nodiscard]] float shared_gap() const { return u(small ? 32 : 40); }
    [[nodiscard]] float top() const { return small ? u(15) : u(19) + f(30); }
    [[nodiscard]] float between() const { return small ? f(24) : u(9) + f(28); }
    // Tiles and banks that are side by side grow with the text, but by at most half.
    [[nodiscard]] float stretch() const { return std::clamp(look.text, 1.0f, 1.5f); }
    [[nodiscard]] float tile_column() const { return u((crowded ? 152 : 192) * stretch()); }
    [[nodiscard]] float tile_gap() const { return u(crowded || !small ? 20 : 28); }
    [[nodiscard]] float bank_column() const {
        return u((crowded || !small ? 108 : 130) * stretch());
    }
    // The height of the panel with a lane's operands and sums.
    [[nodiscard]] float fragments_height() const {
        if (fragments.rows == 0) return 0;
        const auto rows = static_cast<float>(fragments.rows + fragments.k_of_b);
        const float pitch = std::clamp(u(small ? 126 : 190) / rows, f(small ? 11 : 13), f(23));
        return u(small ? 14 : 22) + f(small ? 30 : 44) + rows * pitch;
    }
    [[nodiscard]] float registers_height() const {
        if (small && fragments.rows > 0) return fragments_height();
        return plan.holds_operands() ? u(small ? 12 : 18) + f(small ? 62 : 84) : 0;
    }
    // A tile's cells are not larger than this, unless the cells of the matrices are.
    [[nodiscard]] float largest_tile_pitch(float matrix_pitch) const {
        return std::max(u(48), matrix_pitch);
    }
    [[nodiscard]] float corner_width() const { return small ? u(64) + f(150) : f(300); }
    [[nodiscard]] float corner_height() const {
        if (!small) return u(16) + f(300);
        // With large text the corner is lower, to leave room for the matrices.
        if (look.text >= 1.5f) return u(31) + f(many_warps() ? 158 : 108);
        return u(76) + f(many_warps() ? 186 : 114);
    }
    [[nodiscard]] float least_type() const { return look.px(kLeastType); }
    [[nodiscard]] float good_type() const { return tilereel::stage::good_type(look); }
};

// The area that the matrices may fill: the stage without shared memory, titles and margins. Pixels.
struct Room {
    float width = 0, height = 0;
    float least_w = 0, least_h = 0;  // smallest size of the corner
    float above = 0;                 // if stacked: height of the corner's text above A and B
    float bottom = 0;                // height of everything below the matrices
    bool stacked = false;            // the corner's text is above A and B, not beside B
};
struct Split {  // a width or height of the stage, in pixels: part of K, part of C
    float inner = 0, outer = 0;
};
// How many cells of A, B and C are shown, and their size in pixels.
struct MatrixFit {
    float pitch_x = 1, pitch_y = 1;
    Split x{}, y{};
    bool cropped = false;
    float type = 0;   // font size of the values; 0: no values are shown
    float share = 1;  // of the cells of A, B and C that are shown
};
// Places the rack of registers, if any value rests in them, in the strip at the height of `beside`.
void place_rack(const Measure& m, const Rect& beside, StageLayout& out);
[[nodiscard]] MatrixFit fit_matrices(const Measure& m, const Room& room, const Watched& watched);
// The first visible cell in a row of `count` cells where `shown` cells fit. The cells [begin, end)
// are visible; if they do not fit, the cells around `focus` are visible.
[[nodiscard]] float first_in_sight(std::uint32_t begin, std::uint32_t end, std::uint32_t focus,
                                   float shown, std::uint32_t count);

// The layout of multi-buffered arrays: one plane of each array is large. If an array has several
// planes, all of them are also drawn small, beside the large one or below it.
struct MultiBufferPlaces {
    float pitch = 0;             // of the large planes, in pixels; 0: there is no room
    std::vector<bool> beside{};  // for each array: the small planes are beside the large one
};
[[nodiscard]] MultiBufferPlaces ring_places(const Measure& m, float column, float height,
                                            float largest_pitch);
// In pixels: the smallest width of a small plane with its text, its height, and the additional
// height for a row of small planes.
[[nodiscard]] float small_width(const Measure& m);
[[nodiscard]] float small_height(const Measure& m);
[[nodiscard]] float ring_below(const Measure& m);
// Places the small views of `planes` in a row or a column of equal boxes, and adds them to `out`.
void add_ring(const Measure& m, std::vector<SharedView> planes, const Rect& area, bool in_a_row,
              StageLayout& out);

// The form of the column of shared memory. Lengths in pixels.
struct SharedForm {
    BanksForm banks = BanksForm::kNone;
    [[nodiscard]] bool by_bank() const { return banks == BanksForm::kOneRow; }
    float tiles = 0;    // width of the tiles, if the banks are beside them
    float width = 0;    // width of the whole column
    float pitch = 0;    // pitch of a tile's cells
    bool ring = false;  // laid out as MultiBufferPlaces
};
// Whether a lane's operands and sums fit below tiles and banks, or below the matrices if small.
[[nodiscard]] bool fragments_fit(const Measure& m);
// One view for each plane of the array. `banks`: the number of banks if the view is shown by bank;
// 0: it is shown as a tile.
[[nodiscard]] std::vector<SharedView> views_of(const Array& array, ArrayId id, std::uint32_t banks);

// Shared memory by bank. The heights of what is above the arrays, between them and below them:
[[nodiscard]] float above_banks(const Measure& m);
[[nodiscard]] float between_arrays(const Measure& m);
[[nodiscard]] float below_banks(const Measure& m, bool brief);
[[nodiscard]] float tall_row(const Measure& m);  // the largest height of a row
[[nodiscard]] SharedForm by_bank_form(const Measure& m, const Rect& stage);
// Places the arrays. Those with the most bank conflicts get taller rows.
void layout_by_bank(const Measure& m, StageLayout& out);

// Every form that fits. The first one is the default (app/README.md, "The look", Layout).
[[nodiscard]] std::vector<SharedForm> shared_forms(const Measure& m, const Rect& stage);
// Places the arrays and the banks in `out`; the caller has set `out.shared` and
// `out.banks`. `matrix_pitch`: pixels of a matrix cell at zoom 1.
void layout_shared(const Measure& m, const SharedForm& form, float matrix_pitch, Zoom& zoom,
                   StageLayout& out);

}  // namespace tilereel::stage
