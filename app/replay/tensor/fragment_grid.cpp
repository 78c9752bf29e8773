#include "app/replay/tensor/fragment_grid.h"

#include <algorithm>

namespace tilereel {
namespace {

// Joins elements that follow each other in a lane and in a row or a column, at most `most`.
template <class ElementOf>
void add_cells(FragmentGrid& grid, int lane, int elements, int most, ElementOf&& at) {
    for (int first = 0; first < elements;) {
        FragmentCell cell{.lane = static_cast<std::uint8_t>(lane),
                          .first = static_cast<std::uint8_t>(first),
                          .at = at(first)};
        int count = 1;
        const auto follows = [&](int rows, int columns) {
            const int next = first + count;
            return next < elements && next % most != 0 &&
                   at(next) == MatrixElement{cell.at.row + rows, cell.at.column + columns};
        };
        while (follows(0, count)) ++count;
        const bool along_row = count > 1;
        while (!along_row && follows(count, 0)) ++count;
        cell.count = static_cast<std::uint8_t>(count);
        (along_row ? cell.columns : cell.rows) = count;
        grid.cells.push_back(cell);
        first += count;
    }
}

}  // namespace

FragmentGrid fragment_grid(const WarpProduct& product, MatrixOperand operand, int part) {
    const auto [m, n, k] = product.shape;
    FragmentGrid grid{.operand = operand,
                      .type = product.type(operand),
                      .rows = operand == MatrixOperand::kB ? k : m,
                      .columns = operand == MatrixOperand::kA ? k : n,
                      .cells = {}};
    // A register or, of wider elements, two neighbours.
    const int most = std::max(2, 32 / grid.bits());
    for (int lane = 0; lane < 32; ++lane)
        if (product.count() == 1 || product_of_lane(product, lane) == part)
            add_cells(grid, lane, elements_of(product, operand), most,
                      [&](int index) { return element_of(product, operand, lane, index); });
    return grid;
}

FragmentGrid fragment_grid(int matrices, bool transposed) {
    FragmentGrid grid{.rows = matrices > 1 ? 16 : 8, .columns = matrices > 2 ? 16 : 8, .cells = {}};
    for (int lane = 0; lane < 32; ++lane)
        add_cells(grid, lane, 2 * matrices, 2, [&](int index) {
            MatrixElement at = matrix_load_element(transposed, lane, index % 2);
            const int matrix = index / 2;
            return MatrixElement{at.row + matrix % 2 * 8, at.column + matrix / 2 * 8};
        });
    return grid;
}

std::string register_name(const FragmentGrid& grid, int first) {
    const char* const letter = grid.operand == MatrixOperand::kA   ? "a"
                               : grid.operand == MatrixOperand::kB ? "b"
                                                                   : "c";
    return letter + std::to_string(first * 32 / std::max(32, grid.bits()));
}

}  // namespace tilereel
