#pragma once
// Where the parts of the stage stand: what layout_stage() of layout.h computes.
#include <vector>

#include "app/replay/replay.h"
#include "app/stage/plan.h"
#include "app/ui/draw.h"

namespace tilereel::stage {

inline constexpr std::uint32_t kBankColumns = 32;
inline constexpr float kValuesFrom = 19;      // units: the pitch from which cells hold values
inline constexpr float kTileValuesFrom = 14;  // of a tile, where they have one digit
inline constexpr float kLeastType = 10;       // units: of values in cells

// The part of the product that is worked on, in cells.
struct Watched {
    CellRect c;                         // of the watched block
    std::uint32_t k0 = 0, k1 = 0;       // columns of A and rows of B of this phase
    std::uint32_t row = 0, column = 0;  // of the lane that is looked at, in C
    std::uint32_t k = 0;                // of the request in flight
    [[nodiscard]] bool empty() const { return c.empty() || k1 <= k0; }
};

// What the eye has done: zoom, and the first column, row and k of the product that is shown.
struct Zoom {
    float factor = 1;
    float column = 0, row = 0, k = 0;  // cells
    // Of the shared arrays: one factor for all, and the first column and row shown of each.
    float shared_factor = 1;
    std::vector<ImVec2> shared_first{};
    // For each of StagePlan::shared(), the plane that stands large if not all of them do.
    std::vector<std::uint32_t> planes{};
    // Where values do not fit into all cells, only the cells around this part are shown, with their
    // values. Empty: all cells are shown.
    Watched watched{};
    bool follows = false;    // `column`, `row` and `k` are chosen so that the watched part is shown
    bool whole = false;      // all cells are shown all the same
    float below_shared = 0;  // pixels left free below shared memory, in a small stage
};

// A matrix: a window onto rows x columns cells.
struct MatrixView {
    Rect window;
    float pitch_x = 1, pitch_y = 1;
    float row0 = 0, column0 = 0;  // first cell shown, fractional while panning
    std::uint32_t rows = 0, columns = 0;
    [[nodiscard]] Rect cells(const CellRect& rect) const;  // may reach outside the window
    [[nodiscard]] Rect cell(std::uint32_t row, std::uint32_t column) const {
        return cells({row, column, row + 1, column + 1});
    }
    [[nodiscard]] CellRect visible() const;
    [[nodiscard]] bool at(ImVec2 point, std::uint32_t& row, std::uint32_t& column) const;
};

// A shared array, or one plane of an array of several, as a tile (rows of the array) or by bank
// (rows of one word a bank). Rows are counted as in the whole array.
struct SharedView {
    ArrayId array = kNoArray;
    std::uint32_t plane = 0, planes = 1;  // of the array
    bool small = false;                   // one of a ring, in which the planes take turns
    Rect box{};                           // of a small one: its window and words
    bool by_bank = false;
    std::uint32_t banks = kBankColumns;  // by bank: columns, as many as elements in all banks
    Rect window;
    ImVec2 title{};
    float pitch_x = 1, pitch_y = 1;
    float row0 = 0, column0 = 0;                 // first cell shown
    std::uint32_t rows = 0, columns = 0;         // of what is drawn
    std::uint32_t first_row = 0, row_count = 0;  // of the array, that this shows
    std::uint32_t leading_dimension = 0;         // padding counted
    std::uint32_t used_columns = 0;              // padding not counted
    std::uint32_t first_cell = 0;                // by bank: of row `first_row`, in shared memory
    [[nodiscard]] bool shows(ArrayId id, std::uint32_t row) const {
        return id == array && row >= first_row && row < first_row + row_count;
    }
    // The index of an element among those that the view shows, row by row.
    [[nodiscard]] std::size_t index(std::uint32_t row, std::uint32_t column) const {
        return std::size_t{row - first_row} * leading_dimension + column;
    }
    [[nodiscard]] Rect cell(std::uint32_t row, std::uint32_t column) const;
    [[nodiscard]] bool zoomed() const;  // not all of it is in the window
    // The grid position of an element.
    void place(std::uint32_t row, std::uint32_t column, std::uint32_t& grid_row,
               std::uint32_t& grid_column) const;
    // The element at a point; false where there is none.
    [[nodiscard]] bool at(ImVec2 point, std::uint32_t& row, std::uint32_t& column) const;
};

enum class BanksForm { kNone, kTwoRows, kEightRows, kOneRow };

struct StageLayout {
    Rect all;
    bool small = false;         // small window or large text: the short forms
    Rect corner;                // phase, map, steps, warps
    bool small_corner = false;  // its short form
    MatrixView a, b, c;
    bool cropped = false;     // not all cells fit with their values: the watched part is shown
    bool could_crop = false;  // values would be shown, or larger, if only the watched part were
    Watched watched{};
    ImVec2 title_a{}, title_b{}, title_c{};  // left edge, middle of the capitals
    bool title_b_beside = false;             // left of B rather than above it: right edge
    Rect shared;                             // column of shared memory, banks and captions
    bool by_bank = false;
    // A plane that stands large comes before its small view.
    std::vector<SharedView> arrays;
    std::vector<std::uint32_t> planes;  // as in Zoom
    BanksForm banks = BanksForm::kNone;
    Rect bank_area;
    Rect registers;  // of operands that lanes hold; empty: none
    Rect fragments;  // of one lane: its operands and sums; empty: none
    Rect legend;     // empty: none
};

}  // namespace tilereel::stage
