#pragma once
// The elements of C that each block stores.
#include <cstdint>
#include <optional>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel::stage {

// The rectangle of C that each block stores. Usually that of block (x, y) is that of block (0, 0),
// shifted in proportion to x and y. If not, the rectangle of each block is listed.
struct BlockGrid {
    CellRect first;
    std::uint32_t row_by_x = 0, column_by_x = 0;
    std::uint32_t row_by_y = 0, column_by_y = 0;
    // By index in `listed`, or by block. Empty: the rectangles follow from `first`.
    std::vector<CellRect> each{};
    // If the grid has more than kMostBlocks: the blocks with records, ascending. Else empty.
    std::vector<std::uint32_t> listed{};
    static constexpr std::uint32_t kMostBlocks = 1u << 16;
    [[nodiscard]] CellRect at(std::uint32_t x, std::uint32_t y, const Launch& launch) const;
    // The block that stores an element of C; nullopt if there is none.
    [[nodiscard]] std::optional<std::uint32_t> storing(Element at, const Launch& launch) const;
    // Calls visit(x, y) for every block, or for those listed.
    template <class Visit>
    void for_each(const Launch& launch, Visit&& visit) const {
        if (launch.blocks() > kMostBlocks) {
            for (const std::uint32_t block : listed)
                visit(block % launch.grid.x, block / launch.grid.x);
            return;
        }
        for (std::uint32_t y = 0; y < launch.grid.y; ++y)
            for (std::uint32_t x = 0; x < launch.grid.x; ++x) visit(x, y);
    }
};
[[nodiscard]] BlockGrid grid_of_blocks(const Trace& trace, ArrayId c);

// The arrangement of the blocks on the map: as in the grid; or, if BlockGrid::each is listed, as in
// C; or, if the grid has more than kMostBlocks, the blocks with records in one row.
struct BlockMap {
    std::uint32_t rows = 1, columns = 1;
    std::vector<std::uint32_t> blocks{};  // [row * columns + column]; empty: as in the grid
    [[nodiscard]] std::uint32_t block_at(std::uint32_t row, std::uint32_t column) const {
        const std::size_t place = std::size_t{row} * columns + column;
        return place < blocks.size() ? blocks[place] : static_cast<std::uint32_t>(place);
    }
    // The place of a block: row * columns + column.
    [[nodiscard]] std::uint32_t place_of(std::uint32_t block) const;
};
[[nodiscard]] BlockMap map_of_blocks(const BlockGrid& grid, const Launch& launch);

}  // namespace tilereel::stage
