#pragma once
// The layout of the stage. All lengths in pixels.
#include <vector>

#include "app/replay/replay.h"
#include "app/stage/plan.h"
#include "app/ui/draw.h"

namespace tilereel::stage {

inline constexpr std::uint32_t kBankColumns = 32;
inline constexpr float kValuesFrom = 19;      // units: smallest pitch of cells with values
inline constexpr float kTileValuesFrom = 14;  // units: the same for tiles with one-digit values
inline constexpr float kLeastType = 10;       // units: smallest font size of values in cells

// The watched part of the product, in cells.
struct Watched {
    CellRect c;                         // elements of C of the watched block
    std::uint32_t k0 = 0, k1 = 0;       // columns of A and rows of B of this phase
    std::uint32_t row = 0, column = 0;  // element of C of the watched lane
    std::uint32_t k = 0;                // of the request in flight
    [[nodiscard]] bool empty() const { return c.empty() || k1 <= k0; }
};

// Zoom and pan: the zoom factor, and the first column, row and k of the product that are shown.
struct Zoom {
    float factor = 1;
    float column = 0, row = 0, k = 0;  // cells
    // Shared arrays: one factor for all, and the first column and row shown of each.
    float shared_factor = 1;
    std::vector<ImVec2> shared_first{};
    // For each of StagePlan::shared(): the large plane if there is room for only one.
    std::vector<std::uint32_t> planes{};
    // If values do not fit into all cells, only the cells around this part are shown, with their
    // values. Empty: all cells are shown.
    Watched watched{};
    bool follows = false;    // the layout sets `column`, `row` and `k` to show the watched part
    bool whole = false;      // all cells are shown even without values
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

// A shared array, or one plane of a multi-buffered array, as a tile (rows of the array) or by bank
// (one word of each bank per row). Rows are counted from the begin of the whole array.
struct SharedView {
    ArrayId array = kNoArray;
    std::uint32_t plane = 0, planes = 1;  // index and number of planes
    bool small = false;                   // the small view of a plane (RingPlaces)
    Rect box{};                           // if small: its window and words
    bool by_bank = false;
    std::uint32_t banks = kBankColumns;  // by bank: columns, the elements of a row of all banks
    Rect window;
    ImVec2 title{};
    float pitch_x = 1, pitch_y = 1;
    float row0 = 0, column0 = 0;                 // first cell shown
    std::uint32_t rows = 0, columns = 0;         // of the drawn grid
    std::uint32_t first_row = 0, row_count = 0;  // rows of the array in this view
    std::uint32_t leading_dimension = 0;         // columns with padding
    std::uint32_t used_columns = 0;              // columns without padding
    std::uint32_t first_cell = 0;                // by bank: shared-memory index of `first_row`
    [[nodiscard]] bool shows(ArrayId id, std::uint32_t row) const {
        return id == array && row >= first_row && row < first_row + row_count;
    }
    // The index of an element among those that the view shows, row by row.
    [[nodiscard]] std::size_t index(std::uint32_t row, std::uint32_t column) const {
        return std::size_t{row - first_row} * leading_dimension + column;
    }
    [[nodiscard]] Rect cell(std::uint32_t row, std::uint32_t column) const;
    [[nodiscard]] bool zoomed() const;  // the window does not show all cells
    // The grid position of an element.
    void place(std::uint32_t row, std::uint32_t column, std::uint32_t& grid_row,
               std::uint32_t& grid_column) const;
    // Sets row and column of the element at a point; returns false if there is none.
    [[nodiscard]] bool at(ImVec2 point, std::uint32_t& row, std::uint32_t& column) const;
};

enum class BanksForm { kNone, kTwoRows, kEightRows, kOneRow };

struct StageLayout {
    Rect all;
    bool small = false;         // small window or large text: short forms are used
    Rect corner;                // phase, map, steps, warps
    bool small_corner = false;  // the corner has its short form
    MatrixView a, b, c;
    bool cropped = false;     // only the watched part is shown, because values do not fit otherwise
    bool could_crop = false;  // cropping would show values, or larger ones
    Watched watched{};
    ImVec2 title_a{}, title_b{}, title_c{};  // left edge, middle of the capitals
    bool title_b_beside = false;             // left of B rather than above it: right edge
    Rect shared;                             // column of shared memory, banks and captions
    bool by_bank = false;
    // The large view of a plane comes before its small view.
    std::vector<SharedView> arrays;
    std::vector<std::uint32_t> planes;  // as in Zoom
    BanksForm banks = BanksForm::kNone;
    Rect bank_area;
    Rect registers;  // operands that lanes hold; empty if there are none
    Rect fragments;  // operands and sums of one lane; empty if not shown
    Rect legend;     // empty if not shown
};

// The font size for `digits` digits in a cell of `w` x `h` pixels; 0 if it would be too small to
// read.
[[nodiscard]] float cell_type(const Look& look, float w, float h, int digits);
// Sets the first cells shown to those in `zoom`, which is clamped to the existing cells.
void scroll_matrices(StageLayout& layout, Zoom& zoom);

// `banks`: number of banks of the chosen generation, at most kBankColumns.
[[nodiscard]] StageLayout layout_stage(const Look& look, const Rect& rect, const Trace& trace,
                                       const StagePlan& plan, Zoom& zoom,
                                       std::uint32_t banks = kBankColumns);

}  // namespace tilereel::stage
