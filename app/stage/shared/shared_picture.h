#pragma once
// The picture of one shared tile: its cells and its text.
#include <functional>

#include "app/stage/scene.h"

namespace tilereel::stage {

// The cells of a view. A cell whose flight has not landed in the picture keeps its old state.
struct Picture {
    std::vector<SharedCell> cells;  // of the rows in the view
    std::uint32_t landed = 0, expected = 0;
};
[[nodiscard]] Picture picture_of(const Scene& scene, const SharedArrayState& model,
                                 const SharedView& view);

// The number of cells of a view.
[[nodiscard]] inline std::size_t cell_count(const SharedView& view) {
    return std::size_t{view.row_count} * view.leading_dimension;
}

// A word that the current request accesses.
struct AccessedWord {
    std::uint32_t lane = kNoIndex;  // kNoIndex: no lane accesses it
    std::uint32_t value = 0;        // index of the value in the lane's access
    std::uint32_t bank = 0, wavefront = 0;
};
// Calls visit(element, word) for the accessed words in a view; accessed_words() returns them by
// cell. A word of values narrower than 4 bytes appears on each cell that its lane accesses.
void for_each_accessed_word(const Scene& scene, const SharedView& view,
                            const std::function<void(Element, const AccessedWord&)>& visit);
[[nodiscard]] std::vector<AccessedWord> accessed_words(const Scene& scene, const SharedView& view);

// The text beside a tile's name: its size, or the number of cells that have landed in this phase.
[[nodiscard]] std::string shared_tile_text(const Scene& scene, const SharedView& view,
                                           const Picture& picture);

}  // namespace tilereel::stage
