#pragma once
// The layout of the stage. All lengths are in pixels.
#include <vector>

#include "app/replay/replay.h"
#include "app/stage/layout/cell_window.h"
#include "app/stage/plan/plan.h"
#include "app/workbench/view/watched_thread.h"

namespace tilereel::stage {

class LaneView;

inline constexpr std::uint32_t kBankColumns = 32;
inline constexpr float kValuesFrom = 19;      // units: smallest pitch of cells with values
inline constexpr float kTileValuesFrom = 14;  // units: the same for tiles, if values have one digit
inline constexpr float kLeastType = 10;       // units: smallest font size of values in cells
inline constexpr float kBarrierWidth = 6;     // units

// The smallest font size of values that can be read from the last row of a lecture hall.
[[nodiscard]] inline float good_type(const Look& look) {
    return look.px(11) * (0.4f + 0.6f * look.text);
}

// The watched part of the product, in cells.
struct Watched {
    CellRect c;                         // part of C of the watched block
    std::uint32_t k0 = 0, k1 = 0;       // columns of A and rows of B of this phase
    std::uint32_t row = 0, column = 0;  // first row and column of C of the watched lane
    std::uint32_t k = 0;                // k of the current request
    [[nodiscard]] bool empty() const { return c.empty() || k1 <= k0; }
};

// The user's zoom and pan.
struct UserZoom {
    float zoom = 1;       // for A, B and C; 1: all cells, or the watched part
    bool whole = false;   // show all of A, B and C, even without values
    bool follows = true;  // the visible part of A, B and C follows the watched part
    ImVec2 pan{};         // first visible column and row of C, in cells
    float pan_k = 0;      // first visible column of A and row of B, in cells
    // Shared arrays: one zoom for all, and the first visible column and row of each.
    float shared_zoom = 1;
    std::vector<ImVec2> shared_pan{};
    void reset() { zoom = 1, follows = true; }  // of A, B and C
};
// The same, with what else decides which cells are visible.
struct Zoom : UserZoom {
    // For each of StagePlan::shared(): the plane that is large, if not all of them are.
    std::vector<std::uint32_t> planes{};
    // If values do not fit into all cells, only the cells around this part are shown, with their
    // values. Empty: all cells are shown.
    Watched watched{};
    float below_shared = 0;  // pixels to keep free below shared memory in a small stage
    [[nodiscard]] bool follows_watched() const {
        return follows && zoom <= 1.001f && !watched.empty();
    }
};

using MatrixView = CellWindow;

// A shared array, or one plane of it. The grid is a tile (rows of the array) or by bank (rows with
// one column for each bank). Row numbers are those of the whole array.
struct SharedView : CellWindow {
    ArrayId array = kNoArray;
    std::uint32_t plane = 0, planes = 1;  // in the array
    bool small = false;                   // the small view of a plane of a multi-buffered array
    Rect box{};                           // small views: window and text
    bool by_bank = false;
    ImVec2 title{};
    std::uint32_t first_row = 0, row_count = 0;  // rows of the array in this view
    std::uint32_t leading_dimension = 0;         // including padding
    std::uint32_t used_columns = 0;              // without padding
    std::uint32_t first_cell = 0;  // by bank: cell of row `first_row` in shared memory
    [[nodiscard]] bool shows(ArrayId id, std::uint32_t row) const {
        return id == array && row >= first_row && row < first_row + row_count;
    }
    // The index of an element among the elements of the view, row by row.
    [[nodiscard]] std::size_t index(Element element) const {
        return std::size_t{element.row - first_row} * leading_dimension + element.column;
    }
    [[nodiscard]] Element place(Element element) const {  // in the grid
        const std::uint32_t row = element.row - first_row;
        if (!by_bank) return {row, element.column};
        const std::uint32_t word = first_cell % columns + row * leading_dimension + element.column;
        return {word / columns, word % columns};
    }
    [[nodiscard]] Rect cell_of(Element element) const { return cell(place(element)); }
    [[nodiscard]] std::optional<Element> element_at(ImVec2 point) const;
    [[nodiscard]] bool zoomed() const;  // a part of it is outside the window
};

enum class BanksForm { kNone, kTwoRows, kEightRows, kOneRow };

struct StageLayout {
    Rect all;
    bool small = false;         // small window or large text: short texts
    Rect corner;                // phase, map, parts, warps
    bool small_corner = false;  // with short texts
    MatrixView a, b, c;
    bool cropped = false;     // only the watched part is shown, so that values fit
    bool could_crop = false;  // values would be shown, or larger, with only the watched part
    Watched watched{};
    // Left edge, middle of the capital letters. If small, B's title is at the left of B instead of
    // above it, and this is its right edge.
    ImVec2 title_a{}, title_b{}, title_c{};
    Rect shared;  // column of shared memory, banks and captions
    // The large view of a plane comes before its small view.
    std::vector<SharedView> arrays;
    std::vector<std::uint32_t> planes;  // the same as in Zoom
    BanksForm banks = BanksForm::kNone;
    [[nodiscard]] bool by_bank() const { return banks == BanksForm::kOneRow; }
    Rect bank_area;
    // Free of grids and headings: where copies move up and down. `rack` is its part in which loaded
    // values rest; empty: none do.
    Rect strip, rack;
    Rect gate;       // the part of the strip in which copies leave it at any height
    Rect registers;  // operands that lanes hold in registers; empty: none
    Rect fragments;  // operands and sums of one lane; empty: none
    Rect legend;     // empty: none
};

// The font size for `digits` in a cell of `w` x `h` pixels. 0 if it would be too small to read.
[[nodiscard]] float cell_type(const Look& look, float w, float h, int digits);
// Sets the first visible cells to those in `zoom`, which is clamped to the existing cells.
void scroll_matrices(StageLayout& layout, Zoom& zoom);

// `banks`: number of banks of the chosen generation, at most kBankColumns.
[[nodiscard]] StageLayout layout_stage(const Look& look, const Rect& rect, const Trace& trace,
                                       const StagePlan& plan, Zoom& zoom,
                                       std::uint32_t banks = kBankColumns);

// The watched block's part of C, and the k of this phase. The lane is the chosen one, in warp 0 if
// no warp is chosen, because the warp of the request in flight changes too often for the eye to
// follow.
[[nodiscard]] Watched watched_part(const Replay& replay, const StagePlan& plan,
                                   const WatchedThread& thread, LaneView& lanes);

}  // namespace tilereel::stage
