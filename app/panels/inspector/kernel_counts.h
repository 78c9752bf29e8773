#pragma once
// The "Whole kernel" section: the counters before and after, and their differences. Below it, how
// the compiled code differs from the source code, and on which SMs the blocks of a trace recorded
// on a GPU ran.
#include <string>
#include <vector>

#include "app/panels/panel_table.h"
#include "app/workbench/workbench.h"

namespace tilereel {

struct Difference {
    std::string text;     // "÷4", "×2.5", "+128", "new", "="
    bool counts = false;  // the values differ: drawn in accent; otherwise in ink3
};
// A ratio if it is at least 1.05, otherwise a signed difference; "new" if `before` is 0.
[[nodiscard]] Difference difference_of(double before, double after, bool whole);

struct CountsRow {
    std::string label, before, after;
    Difference difference;
    bool conflict_before = false, conflict_after = false;  // conflict counts that are not zero
};
// The counters that show most of the change come first.
[[nodiscard]] std::vector<CountsRow> rows_of_counts(const CountsColumn& before,
                                                    const KernelCounts& after);
// Its label, both counters and their difference, as the cells of a table.
[[nodiscard]] std::vector<TableCell> cells_of(const CountsRow& row, const Palette& colors);
// The caption of the "after" column: "09 tiled", or "PAD 1" next to "PAD 0".
[[nodiscard]] std::string after_label(const Trace& trace, const std::string& before_label,
                                      const Generation& generation = default_generation());

// Both draw from the top left corner of `rect` and return the height in pixels.
float draw_compiled(const Look& look, const Rect& rect, const Workbench& workbench);
float draw_kernel_counts(const Look& look, const Rect& rect, const Workbench& workbench);

}  // namespace tilereel
