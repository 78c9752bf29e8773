#pragma once
// The part of an array that the page shows: which cells, arranged in which rows and columns.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/replay/arrays/contents.h"
#include "app/replay/replay.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct PictureRange {  // rows or columns: [first, last)
    std::uint64_t first = 0, last = 0;
};

struct ArrayPicture {
    ArrayId array = kNoArray;
    std::uint32_t cell_bytes = 4;
    std::uint64_t cells = 0;         // in the whole array, including padding
    std::uint64_t row_length = 1;    // cells between two rows' starts (by_columns: two columns')
    std::uint64_t used_columns = 1;  // cells of a row that are not padding
    bool by_columns = false;
    std::uint64_t rows_of_plane = 0;  // 0: there is only one plane
    std::vector<PictureRange> rows;   // the shown rows, ascending
    PictureRange columns;             // the shown columns

    [[nodiscard]] std::uint64_t row_of(std::uint64_t cell) const {
        return by_columns ? cell % row_length : cell / row_length;
    }
    [[nodiscard]] std::uint64_t column_of(std::uint64_t cell) const {
        return by_columns ? cell / row_length : cell % row_length;
    }
    [[nodiscard]] bool shows(std::uint64_t cell) const;
    // Calls visit(cell) for each shown cell.
    template <class Visit>
    void for_each_cell(Visit&& visit) const {
        for (const PictureRange& range : rows)
            for (std::uint64_t row = range.first; row < range.last; ++row)
                for (std::uint64_t column = columns.first; column < columns.last; ++column) {
                    const std::uint64_t cell =
                        by_columns ? column * row_length + row : row * row_length + column;
                    if (cell < cells) visit(cell);
                }
    }
    [[nodiscard]] std::uint64_t shown_cells() const;
};

// A small array is shown whole; a large one with the rows and columns that the block accesses. An
// array that the block does not access is left out, unless it is a matrix of the product or shared.
[[nodiscard]] std::vector<ArrayPicture> pictures_of_arrays(const Replay& replay);

// kFailed if there are more cells than a browser can draw.
[[nodiscard]] Status check_drawable(const std::vector<ArrayPicture>& pictures, const Trace& trace);

// Name, type, memory space and role of an array (as in FORMAT.md), and its picture.
[[nodiscard]] nlohmann::ordered_json picture_json(const ArrayPicture& picture,
                                                  const Replay& replay);

}  // namespace tilereel
