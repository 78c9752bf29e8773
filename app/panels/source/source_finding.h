#pragma once
// What the finding at the shown moment adds to the source panel.
#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/source/source_text.h"
#include "app/ui/draw/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// In pixels.
struct SourceMeasures {
    float code_px = 0, advance = 0, row = 0;  // font, character width, row height
    float marks = 0;                          // width of the strip left of the line numbers
    float gutter_right = 0, code_left = 0, cost_right = 0;
    Rect code;
};

// What the finding at the shown moment adds to the source: the lines of its two accesses, and the
// barrier that is missing.
struct FindingLines {
    std::uint32_t earlier = 0, later = 0;
    std::string earlier_word, later_word;  // "reads", "stores"
    std::optional<BarrierPlace> place;
    std::string barrier;
    std::size_t last_row = 0;  // the row after which the barrier is drawn
    [[nodiscard]] bool marks(std::uint32_t line) const {
        return line != 0 && (line == earlier || line == later);
    }
    [[nodiscard]] std::string word_of(std::uint32_t line) const {
        if (line == earlier && line == later) return later_word + ", " + earlier_word;
        return line == later ? later_word : earlier_word;
    }
    // Rows that are drawn above this row and are not in the source.
    [[nodiscard]] std::size_t rows_above(std::size_t row) const {
        return place && row > last_row ? 1 : 0;
    }
};

// `source`: `given` as it is drawn. Empty if no race is shown.
[[nodiscard]] FindingLines finding_lines(const Workbench& workbench, const SourceText& source,
                                         std::string_view given);
// Draws "+ __syncthreads();  missing here" in a row of its own. Registered as
// source.missing_barrier.
void draw_missing_barrier(const Look& look, const SourceMeasures& m, const FindingLines& lines,
                          float top);
// Draws what a line does to the cell between its code and its cost, if there is room.
void draw_finding_line(const Look& look, const SourceMeasures& m, const std::string& word,
                       float middle, float code_end, float cost_begin);

}  // namespace tilereel
