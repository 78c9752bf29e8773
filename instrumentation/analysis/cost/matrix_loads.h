#pragma once
// How matrix loads take the tile of a layout. A load takes 1, 2 or 4 matrices of 8 rows of 16
// bytes, two below each other where the tile has 16 rows, and then beside each other:
//
//            16 bytes    16 bytes
//     8 rows matrix 0    matrix 2      lane l names row l % 8 of matrix l / 8
//     8 rows matrix 1    matrix 3
//
// The loads go down the tile, and then to the right. Where the elements of a column lie side by
// side, and not those of a row, the columns are the rows of the matrices (.trans turns them).
#include <optional>
#include <string>

#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/analysis/source/cute_layout.h"

namespace tilereel {

inline constexpr std::uint32_t kRowsOfMatrix = 8, kBytesOfMatrixRow = 16;
// The elements of a row of a matrix.
[[nodiscard]] std::int64_t elements_of_row(std::uint32_t width_bytes);

struct TileLoads {
    std::size_t row_mode = 0;           // of the layout: whose coordinate is the row
    std::int64_t rows = 0, pieces = 0;  // of the tile; a piece has 16 bytes
    std::int64_t piece = 8;             // elements
    std::int64_t down = 1, across = 1;  // matrices of a load
    [[nodiscard]] std::uint32_t count() const;
    // The offset of the first element of the row that a lane of a load names.
    [[nodiscard]] std::int64_t row_of(const CuteLayout& layout, std::uint32_t load,
                                      std::uint32_t lane) const;
};
// Loads of so many matrices (1, 2 or 4) with elements of this width. kWrongCall with what to use
// instead if the layout has not two modes, if no elements lie side by side, or if the tile has no
// whole number of loads.
[[nodiscard]] Result<TileLoads> loads_of_tile(const CuteLayout& layout, std::uint32_t width_bytes,
                                              std::uint32_t matrices);

// The distance of the rows of a layout in elements: the smallest stride of the mode whose elements
// do not lie side by side. nullopt if the layout has no rows.
[[nodiscard]] std::optional<std::int64_t> row_length(const CuteLayout& layout);

// What a matrix load or store costs. `who`: "Load 3".
[[nodiscard]] std::string matrix_sentence(const std::string& who, const WarpAccess& access,
                                          const Generation& generation);
// The slot of 16 bytes of all banks in which a row lies, from 0 to 7.
[[nodiscard]] std::uint32_t slot_of(const WarpAccess& access, std::uint32_t lane);
// Whether the GPU has the instruction: ldmatrix from compute capability 7.5 on, stmatrix from 9.0.
[[nodiscard]] Status check_has_matrix_access(Operation operation, const Generation& generation);
// "ldmatrix.x4"
[[nodiscard]] std::string matrix_instruction(Operation operation, std::uint32_t matrices);

}  // namespace tilereel
