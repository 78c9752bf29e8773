#include "app/stage/shared/placement.h"

#include <algorithm>

#include "app/replay/state/provenance.h"

namespace tilereel::stage {
namespace {

// The element of the matrix that a cell holds, and the phase that loaded it.
struct Source {
    Element element;
    std::uint32_t phase = 0;
};
using Sources = std::vector<std::optional<Source>>;  // by cell; nullopt: unknown

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
        if (f.from == placement.matrix)
            sources[i] = Source{f.source(), scene.plan.drawn_flight(flight).phase};
    }
    return sources;
}

// Whether along a row of the tile the matrix row changes more often than the matrix column.
bool rows_run_along(const SharedView& view, const Sources& sources) {
    int rows = 0, columns = 0;
    for (std::size_t i = 1; i < sources.size(); ++i) {
        const auto &before = sources[i - 1], &here = sources[i];
        if (i % view.leading_dimension == 0 || !before || !here) continue;
        const Element from = before->element, to = here->element;
        rows += from.column == to.column && from.row != to.row ? 1 : 0;
        columns += from.row == to.row && from.column != to.column ? 1 : 0;
    }
    return rows > columns;
}

// "rows 0 to 3" of the rows or columns for which `holds(i)` is true; empty if that is none, all, or
// not one run of neighbours.
template <class Holds>
std::string run_text(const char* one, const char* many, std::uint32_t count, Holds&& holds) {
    std::uint32_t first = kNoIndex, last = 0, all = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!holds(i)) continue;
        first = std::min(first, i);
        last = i;
        ++all;
    }
    if (all == 0 || all == count || all != last - first + 1) return {};
    if (all == 1) return one + (" " + std::to_string(first));
    return many + (" " + std::to_string(first)) + " to " + std::to_string(last);
}

// "rows 0 to 3 hold phase 2 already": a block without a barrier has overwritten a part of the tile.
// Phases count from 1, as in the timeline. The same in fewer words follows. Empty if one phase
// loaded all cells.
std::vector<std::string> mixed_texts_of(const SharedView& view, const Sources& sources) {
    std::uint32_t last = 0;
    bool mixed = false;
    for (const auto& source : sources) {
        if (!source) continue;
        mixed = mixed || (last != 0 && source->phase + 1 != last);
        last = std::max(last, source->phase + 1);
    }
    if (!mixed) return {};
    const auto is_ahead = [&](std::uint32_t row, std::uint32_t column) {
        const auto& source = sources[std::size_t{row} * view.leading_dimension + column];
        return source && source->phase + 1 == last;
    };
    std::string which = run_text("row", "rows", view.row_count, [&](std::uint32_t row) {
        for (std::uint32_t column = 0; column < view.used_columns; ++column)
            if (is_ahead(row, column)) return true;
        return false;
    });
    if (which.empty())
        which = run_text("column", "columns", view.used_columns, [&](std::uint32_t column) {
            for (std::uint32_t row = 0; row < view.row_count; ++row)
                if (is_ahead(row, column)) return true;
            return false;
        });
    const std::string phase = " phase " + std::to_string(last);
    if (which.empty()) return {"some cells hold" + phase + " already", "partly" + phase};
    const std::string hold =
        which.starts_with("rows") || which.starts_with("columns") ? " hold" : " holds";
    return {which + hold + phase + " already", which + ":" + phase};
}

// The XOR value by which all complete pieces of a row are moved, if it is the same for all.
// kNoIndex otherwise.
std::uint32_t xor_of_row(const SharedView& view, const Placement& placement, std::uint32_t row) {
    const std::uint32_t count = placement.piece;
    std::uint32_t swap = kNoIndex;
    const std::size_t first = std::size_t{row} * view.leading_dimension;
    for (std::uint32_t column = 0; column + count <= view.used_columns; column += count) {
        const std::uint32_t along = placement.along[first + column];
        if (along == kNoIndex || along % count != 0) return kNoIndex;
        for (std::uint32_t i = 1; i < count; ++i)
            if (placement.along[first + column + i] != along + i) return kNoIndex;
        const std::uint32_t here = along / count ^ column / count;
        if (swap != kNoIndex && swap != here) return kNoIndex;
        swap = here;
    }
    return swap;
}

}  // namespace

Placement placement_of(const Scene& scene, const SharedView& view, const Picture& picture) {
    Placement placement;
    placement.piece = 16 / std::clamp(scene.trace.arrays[view.array].element_bytes, 1u, 16u);
    const Sources sources = sources_of(scene, view, picture, placement);
    placement.along.assign(sources.size(), kNoIndex);
    placement.row_xor.assign(view.row_count, kNoIndex);
    // Rows and columns are meaningful only if the arrays are known to be matrices.
    if (!scene.trace.product) placement.matrix = kNoArray;
    if (placement.matrix == kNoArray) return placement;
    placement.transposed = rows_run_along(view, sources);
    placement.mixed_texts = mixed_texts_of(view, sources);
    if (!placement.mixed_texts.empty()) return placement;
    const auto along = [&](Element e) { return placement.transposed ? e.row : e.column; };
    std::uint32_t least = kNoIndex;
    for (const auto& source : sources)
        if (source) least = std::min(least, along(source->element));
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (!sources[i]) continue;
        placement.along[i] = along(sources[i]->element) - least;
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
    const std::uint32_t place = at.column / placement.piece, piece = place ^ swap;
    return "piece " + std::to_string(piece) + " of row " + std::to_string(here) + " lies in slot " +
           std::to_string(piece) + " XOR " + std::to_string(swap) + " = " + std::to_string(place);
}

std::string some_swizzle_text(const SharedView& view, const Placement& placement) {
    // Where the numbers of row, piece and slot differ, the rule is seen best.
    for (const std::uint32_t least : {2u, 1u})
        for (std::uint32_t row = 0; row < placement.row_xor.size(); ++row) {
            if (placement.row_xor[row] == kNoIndex || placement.row_xor[row] < least) continue;
            const std::uint32_t column = least > 1 ? placement.piece : 0;
            if (std::string words = swizzle_text(view, placement, {view.first_row + row, column});
                !words.empty())
                return words;
        }
    return {};
}

}  // namespace tilereel::stage
