#pragma once
// The grid of the Pattern lab's picture: rows of cells, each a bank, a slot or a word of a line.
#include <optional>
#include <string>
#include <vector>

#include "app/panels/patterns/pattern_views.h"
#include "instrumentation/analysis/cost/word_service.h"

namespace tilereel {

// A row of cells, with its label at the left. The colours are 0 for none.
struct PatternCell {
    std::string text;
    ImU32 fill = 0, edge = 0, ink = 0;
    std::optional<PatternsMemory::GlidingWord> word{};  // it slides with the word that a lane wants
};
struct PatternCells {
    std::string label;
    std::vector<PatternCell> cells;
};

// The names below the wavefronts: "bank" or "slot" and their numbers. A name is in the colour of
// conflicts if words of its banks wait for each other. `banks_each`: 1, or the banks of a slot.
[[nodiscard]] PatternCells names_of_banks(const PatternContext& lab, std::string label,
                                          std::uint32_t banks_each);
// Whether a word is served in a later wavefront than the first of its group of lanes: a conflict.
[[nodiscard]] bool is_served_late(const WordService& service, const ServedWord& word);

// `names_below`: the last row are names, which stay below while the rows above are scrolled, and
// the row above them is in view at first. `kept_scroll`: in pixels; with names from the bottom.
void draw_pattern_grid(const PatternContext& lab, const Rect& place,
                       const std::vector<PatternCells>& rows, bool names_below, float& kept_scroll);

// Of a matrix load or store: at the left the rows of its matrices by wavefront and slot, at the
// right where they lie in shared memory.
void draw_pattern_slots(const PatternContext& lab, const Rect& place);

}  // namespace tilereel
