#pragma once
// What the layout of the matrices and that of shared memory have in common.
#include <algorithm>
#include <cmath>

#include "app/stage/layout.h"

namespace tilereel::stage {

// Lengths that depend on the size of the window and of the text.
struct Measure {
    const Look& look;
    bool small = false;
    bool crowded = false;       // small, and narrow besides
    bool many_warps = false;    // too many for one lane each
    bool registers = false;     // lanes hold operands: a row for them below the matrices
    FragmentShape fragments{};  // of a lane: below the banks, in a small window the matrices
    int input_digits = 1, sum_digits = 1;  // of the longest values
    [[nodiscard]] float u(float units) const { return std::round(look.px(units)); }
    [[nodiscard]] float f(float units) const { return std::round(look.font_px(units)); }
    [[nodiscard]] float left() const { return u(small ? 20 : 24); }
    [[nodiscard]] float right() const { return u(small ? 20 : 16); }
    [[nodiscard]] float gap() const { return std::max(u(28), small ? f(26) : 0); }
    [[nodiscard]] float shared_gap() const { return u(small ? 32 : 40); }
    [[nodiscard]] float top() const { return small ? u(15) : u(19) + f(30); }
    [[nodiscard]] float between() const { return small ? f(24) : u(9) + f(28); }
    // Banks beside the tiles: both grow with the text, but less.
    [[nodiscard]] float stretch() const { return std::clamp(look.text, 1.0f, 1.5f); }
    [[nodiscard]] float tile_column() const { return u((crowded ? 152 : 192) * stretch()); }
    [[nodiscard]] float tile_gap() const { return u(crowded || !small ? 20 : 28); }
    [[nodiscard]] float bank_column() const {
        return u((crowded || !small ? 108 : 130) * stretch());
    }
    // The height of the panel with a lane's operands and sums, in pixels.
    [[nodiscard]] float fragments_height() const {
        if (fragments.rows == 0) return 0;
        const auto rows = static_cast<float>(fragments.rows + fragments.k_of_b);
        const float pitch = std::clamp(u(small ? 126 : 190) / rows, f(small ? 11 : 13), f(23));
        return u(small ? 14 : 22) + f(small ? 30 : 44) + rows * pitch;
    }
    [[nodiscard]] float registers_height() const {
        if (small && fragments.rows > 0) return fragments_height();
        return registers ? u(small ? 12 : 18) + f(small ? 62 : 84) : 0;
    }
    // A tile's cells need not be larger than this, unless the matrices' are.
    [[nodiscard]] float largest_tile_pitch(float matrix_pitch) const {
        return std::max(u(48), matrix_pitch);
    }
    [[nodiscard]] float corner_width() const { return small ? u(64) + f(150) : f(300); }
    [[nodiscard]] float corner_height() const {
        if (!small) return u(16) + f(300);
        // Large text leaves the lanes and the map to the picture.
        if (look.text >= 1.5f) return u(31) + f(many_warps ? 158 : 108);
        return u(76) + f(many_warps ? 186 : 114);
    }
    // Values in cells: the least size of type that can be read, and the size from which on the
    // last row can. Pixels.
    [[nodiscard]] float least_type() const { return look.px(kLeastType); }
    [[nodiscard]] float good_type() const { return look.px(11) * (0.4f + 0.6f * look.text); }
};

// What the matrices may fill: everything but shared memory, titles and margins.
struct Room {
    float width = 0, height = 0;
    float least_w = 0, least_h = 0;  // of the corner
    float above = 0;                 // by bank: the corner's words above A and B
    float bottom = 0;
    bool stacked = false;
};
struct Split {  // of a length, in pixels: k, and the rows or columns of C
    float inner = 0, outer = 0;
};
// How many cells of A, B and C are shown, and how large.
struct MatrixFit {
    float pitch_x = 1, pitch_y = 1;
    Split x{}, y{};
    bool cropped = false;
    float type = 0;   // of the values, pixels; 0: none are shown
    float share = 1;  // of the cells
};
[[nodiscard]] MatrixFit fit_matrices(const Measure& m, const Room& room, const Launch& launch,
                                     const Watched& watched);
// The first cell of `count` to show, of which `shown` fit, so that [begin, end) is in sight; where
// that is too long, the part of it with `focus`.
[[nodiscard]] float first_in_sight(std::uint32_t begin, std::uint32_t end, std::uint32_t focus,
                                   float shown, std::uint32_t count);

// The size of one plane in cells, with padding.
struct PlaneCells {
    std::uint32_t rows = 0, columns = 0, planes = 1;
};
// Widest array in cells, and rows of all.
struct SharedCells {
    std::uint32_t columns = 1, rows = 1;
    std::uint32_t arrays = 0;           // each plane of an array counts
    std::uint32_t words = 0;            // of one plane of each
    std::vector<PlaneCells> of_arrays;  // in the order of StagePlan::shared()
    [[nodiscard]] bool rings() const { return arrays > of_arrays.size(); }
};
[[nodiscard]] SharedCells shared_cells(const Trace& trace, const StagePlan& plan);

// One plane of each array large, and all of those that take turns small, beside it or below.
struct RingPlaces {
    float pitch = 0;             // of the large ones; 0: there is no room
    std::vector<bool> beside{};  // per array
};
[[nodiscard]] RingPlaces ring_places(const Measure& m, const SharedCells& cells, float column,
                                     float height, float largest_pitch);
// In pixels: the least width of a small plane, its height, and the height that a row of them adds.
[[nodiscard]] float small_width(const Measure& m);
[[nodiscard]] float small_height(const Measure& m);
[[nodiscard]] float ring_below(const Measure& m);
// Places the small views of `planes` in a row or a column of equal boxes, and adds them.
void add_ring(const Measure& m, std::vector<SharedView> planes, const Rect& area, bool in_a_row,
              StageLayout& out);

// How the column of shared memory is filled, and its width in pixels.
struct SharedForm {
    bool by_bank = false;
    BanksForm banks = BanksForm::kNone;
    float tiles = 0;  // width of the tiles, where the banks stand beside them
    float width = 0;
    float pitch = 0;  // of a tile's cells
    bool ring = false;
};
// A lane's operands and sums fit below tiles and banks.
[[nodiscard]] bool fragments_fit(const Measure& m, const Rect& stage, const SharedCells& cells);
// One view a plane. `banks`: columns of one that is shown by bank; 0: as a tile.
[[nodiscard]] std::vector<SharedView> views_of(const Array& array, ArrayId id, std::uint32_t banks);

// By bank: what stands below the tiles; the form; and the arrays, of which the one with conflicts
// gets the taller rows.
[[nodiscard]] float below_banks(const Measure& m, bool brief);
[[nodiscard]] SharedForm by_bank_form(const Measure& m, const Rect& stage, std::uint32_t banks);
void layout_by_bank(const Measure& m, const Trace& trace, const StagePlan& plan,
                    std::uint32_t banks, StageLayout& out);

// Every form that fits; the first one is the usual one (app/README.md, "The look", Layout).
[[nodiscard]] std::vector<SharedForm> shared_forms(const Measure& m, const Rect& stage,
                                                   const SharedCells& cells, std::uint32_t banks);
// Fills in the arrays and the banks; `out.shared`, `by_bank` and `banks` are given. `matrix_pitch`:
// of the matrices, not zoomed.
void layout_shared(const Measure& m, const Trace& trace, const StagePlan& plan,
                   const SharedForm& form, std::uint32_t banks, float matrix_pitch, Zoom& zoom,
                   StageLayout& out);
// A first cell that leaves no empty room behind the last one.
[[nodiscard]] float scrolled(float first, float shown_px, float pitch, std::uint32_t count);

}  // namespace tilereel::stage
