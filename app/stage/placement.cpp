#include "app/stage/placement.h"

#include <algorithm>

#include "app/replay/provenance.h"

namespace tilereel::stage {
namespace {

constexpr std::uint32_t kPiece = 4;  // floats in 16 bytes

// The element of the matrix that each cell holds; nullopt: unknown.
using Sources = std::vector<std::optional<Element>>;

Sources sources_of(const Scene& scene, const SharedView& view, const Picture& picture,
                   Placement& placement) {
    Sources sources(picture.cells.size());
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        // A value from an earlier phase belongs to another tile of the matrix.
        if (picture.cells[i].state != CellState::kValid) continue;
        const std::uint32_t flight = scene.replay.provenance().flight_into(
            view.array, {view.first_row + i / view.leading_dimension, i % view.leading_dimension},
            scene.state.tick);
        if (flight == kNoStep) continue;
        const Flight& f = scene.replay.flights()[flight];
        if (placement.matrix == kNoArray) placement.matrix = f.from;
        if (f.from == placement.matrix) sources[i] = f.source();
    }
    return sources;
}

// Whether along a row of the tile the matrix row changes more often than the matrix column.
bool rows_run_along(const SharedView& view, const Sources& sources) {
    int rows = 0, columns = 0;
    for (std::size_t i = 1; i < sources.size(); ++i) {
        const auto &before = sources[i - 1], &here = sources[i];
        if (i % view.leading_dimension == 0 || !before || !here) continue;
        rows += before->column == here->column && before->row != here->row ? 1 : 0;
        columns += before->row == here->row && before->column != here->column ? 1 : 0;
    }
    return rows > columns;
}

// The XOR value by which all complete pieces of a row are moved, if it is the same for all.
// kNoIndex otherwise.
std::uint32_t xor_of_row(const SharedView& view, const Placement& placement, std::uint32_t row) {
    std::uint32_t swap = kNoIndex;
    const std::size_t first = std::size_t{row} * view.leading_dimension;
    for (std::uint32_t column = 0; column + kPiece <= view.used_columns; column += kPiece) {
        const std::uint32_t along = placement.along[first + column];
        if (along == kNoIndex || along % kPiece != 0) return kNoIndex;
        for (std::uint32_t i = 1; i < kPiece; ++i)
            if (placement.along[first + column + i] != along + i) return kNoIndex;
        const std::uint32_t here = along / kPiece ^ column / kPiece;
        if (swap != kNoIndex && swap != here) return kNoIndex;
        swap = here;
    }
    return swap;
}

}  // namespace

Placement placement_of(const Scene& scene, const SharedView& view, const Picture& picture) {
    Placement placement;
    const Sources sources = sources_of(scene, view, picture, placement);
    placement.along.assign(sources.size(), kNoIndex);
    placement.row_xor.assign(view.row_count, kNoIndex);
    // Rows and columns are meaningful only if the arrays are known to be matrices.
    if (!scene.trace.product) placement.matrix = kNoArray;
    if (placement.matrix == kNoArray) return placement;
    placement.transposed = rows_run_along(view, sources);
    const auto along = [&](Element e) { return placement.transposed ? e.row : e.column; };
    std::uint32_t least = kNoIndex;
    for (const auto& source : sources)
        if (source) least = std::min(least, along(*source));
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (!sources[i]) continue;
        placement.along[i] = along(*sources[i]) - least;
        placement.moved = placement.moved || placement.along[i] != i % view.leading_dimension;
    }
    for (std::uint32_t row = 0; row < view.row_count; ++row)
        placement.row_xor[row] = xor_of_row(view, placement, row);
    return placement;
}

std::string swizzle_text(const SharedView& view, const Placement& placement, Element at) {
    const std::uint32_t here = at.row - view.first_row;
    if (here >= placement.row_xor.size() || at.column >= view.used_columns) return {};
    const std::uint32_t swap = placement.row_xor[here];
    if (swap == kNoIndex || swap == 0) return {};
    const std::uint32_t place = at.column / kPiece, piece = place ^ swap;
    return "piece " + std::to_string(piece) + " of row " + std::to_string(here) + " lies at " +
           std::to_string(piece) + " XOR " + std::to_string(swap) + " = " + std::to_string(place);
}

std::string some_swizzle_text(const SharedView& view, const Placement& placement) {
    for (std::uint32_t row = 0; row < placement.row_xor.size(); ++row)
        if (std::string words = swizzle_text(view, placement, {view.first_row + row, 0});
            !words.empty())
            return words;
    return {};
}

}  // namespace tilereel::stage
