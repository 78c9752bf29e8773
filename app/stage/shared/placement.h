#pragma once
// The placement of a matrix's elements in a shared tile, found from the copies to the tile. It
// shows swizzles.
#include <cstdint>
#include <string>
#include <vector>

#include "app/stage/shared/shared_picture.h"

namespace tilereel::stage {

struct Placement {
    // By cell as in Picture::cells: the element's column in the matrix (if transposed: its row),
    // relative to the first one of the tile; kNoIndex: unknown.
    std::vector<std::uint32_t> along;
    std::uint32_t piece = 4;  // elements in 16 bytes
    bool transposed = false;  // a row of the tile holds a column of the matrix
    ArrayId matrix = kNoArray;
    bool moved = false;  // at least one element is not in its own column
    // By row of the view: the XOR operand for the positions of its 16-byte pieces; kNoIndex: they
    // are not moved by an XOR, or unknown.
    std::vector<std::uint32_t> row_xor;
    // Several phases loaded the cells, such as "rows 0 to 3 hold phase 2 already": their positions
    // belong to different tiles, so `along` and `row_xor` are unknown. The same in fewer words
    // follows. Else empty.
    std::vector<std::string> mixed_texts;
};
[[nodiscard]] Placement placement_of(const Scene& scene, const SharedView& view,
                                     const Picture& picture);

// "piece 3 of row 5 lies in slot 3 XOR 2 = 1": about the 16-byte piece that contains the cell;
// empty if it is not moved.
[[nodiscard]] std::string swizzle_text(const SharedView& view, const Placement& placement,
                                       Element at);
// The same for any piece that is moved; empty if no piece is moved by an XOR.
[[nodiscard]] std::string some_swizzle_text(const SharedView& view, const Placement& placement);

}  // namespace tilereel::stage
