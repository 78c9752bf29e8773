#pragma once
// Where a shared tile keeps what: which element of its matrix each cell holds, by the copies that
// brought them.
#include <cstdint>
#include <string>
#include <vector>

#include "app/stage/shared_picture.h"

namespace tilereel::stage {

struct Placement {
    // By cell as Picture::cells: the row or column of the matrix, counted from the tile's first,
    // that runs along the rows of the shared tile; kNoIndex: not known.
    std::vector<std::uint32_t> along;
    bool of_rows = false;  // `along` counts rows of the matrix
    ArrayId matrix = kNoArray;
    bool moved = false;  // some cell is not in its column
    // By row of the view: what the place of each 16-byte piece is XORed with; kNoIndex: it is no
    // XOR, or not known.
    std::vector<std::uint32_t> swap;
};
[[nodiscard]] Placement placement_of(const Scene& scene, const SharedView& view,
                                     const Picture& picture);

// "piece 3 of row 5 lies at 3 XOR 2 = 1": of the cell's 16-byte piece, by its row's swap; empty
// where it stays in its place.
[[nodiscard]] std::string words_of_swap(const SharedView& view, const Placement& placement,
                                        std::uint32_t row, std::uint32_t column);
// The same of some piece that has moved; empty: none has by an XOR.
[[nodiscard]] std::string words_of_some_swap(const SharedView& view, const Placement& placement);

}  // namespace tilereel::stage
