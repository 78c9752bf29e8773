#pragma once
// What the picture shows of one shared tile, and says of it.
#include <functional>

#include "app/stage/scene.h"

namespace tilereel::stage {

// What the picture shows of a view: the model's cells, but for those whose flight is still in the
// air.
struct Picture {
    std::vector<SharedCell> cells;  // of the rows that the view shows
    std::uint32_t landed = 0, expected = 0;
};
[[nodiscard]] Picture picture_of(const Scene& scene, const SharedArrayState& model,
                                 const SharedView& view);

// Cells that a view shows.
[[nodiscard]] inline std::size_t cell_count(const SharedView& view) {
    return std::size_t{view.row_count} * view.leading_dimension;
}

// A word of the request in flight.
struct WordHere {
    std::uint32_t lane = kNoIndex;  // kNoIndex: nobody wants it
    std::uint32_t value = 0;        // of the lane's access: number of the value in this cell
    std::uint32_t bank = 0, wavefront = 0;
};
// The words on the cells of a view: calls visit(row, column, word); and by cell. A word of narrow
// values lies on several cells: those that its lane wants.
void for_each_word_on(
    const Scene& scene, const SharedView& view,
    const std::function<void(std::uint32_t, std::uint32_t, const WordHere&)>& visit);
[[nodiscard]] std::vector<WordHere> words_on(const Scene& scene, const SharedView& view);

// What stands beside a tile's name: its size, or how much of it has landed in this phase.
[[nodiscard]] std::string words_of_tile(const Scene& scene, const SharedView& view,
                                        const Picture& picture);

}  // namespace tilereel::stage
