#pragma once
// A matrix as the lanes of a warp hold it, cut into cells: neighbouring elements of one lane.
//
//     A of m16n8k16 with 16-bit elements     B                     C with 32-bit elements
//     +--------+--------+                    +---+                 +-----------+
//     | 0: x x | 1: x x | ...  8 cells       | x | lane 0,         | 0: x, x   | c0 and c1
//     +--------+--------+      a row         | x | register b0     +-----------+
//     a register lies along k                +---+                 side by side
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/trace/fragments/warp_fragments.h"

namespace tilereel {

struct FragmentCell {
    std::uint8_t lane = 0;
    std::uint8_t first = 0, count = 1;  // elements of the lane, as element_of() numbers them
    MatrixElement at;                   // of the first; the others follow
    int rows = 1, columns = 1;          // one of them is `count`
};

struct FragmentGrid {
    MatrixOperand operand = MatrixOperand::kA;
    MatrixType type = MatrixType::kF16;
    int rows = 0, columns = 0;
    std::vector<FragmentCell> cells;

    [[nodiscard]] int bits() const { return element_bits(type); }
    // The first and the last 32-bit register of a cell's elements.
    [[nodiscard]] int first_register(const FragmentCell& cell) const {
        return cell.first * bits() / 32;
    }
    [[nodiscard]] int last_register(const FragmentCell& cell) const {
        return ((cell.first + cell.count) * bits() - 1) / 32;
    }
};

// `part`: which of product.count() products; the others' lanes have no cells.
[[nodiscard]] FragmentGrid fragment_grid(const WarpProduct& product, MatrixOperand operand,
                                         int part);
// The 8 x 8 matrices of a matrix load or store that belongs to no product, one below the other and
// then side by side: 0 and 1 at the left, 2 and 3 at the right. Register r holds matrix r.
[[nodiscard]] FragmentGrid fragment_grid(int matrices, bool transposed);
// "a2", "b0", "c1"; of a double, which has two registers, "a" and the number of the pair. `first`:
// a 32-bit register.
[[nodiscard]] std::string register_name(const FragmentGrid& grid, int first);

}  // namespace tilereel
