#pragma once
// "Whole kernel": the counters before and after, and how they differ.
#include <string>
#include <vector>

#include "app/ui/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

struct Difference {
    std::string text;     // "÷4", "×2.5", "+128", "new", "="
    bool counts = false;  // an actual change: accent; otherwise ink3
};
// A ratio where it says more (from 1.1 on), else a signed difference.
[[nodiscard]] Difference difference_of(double before, double after, bool whole);

struct CountsRow {
    std::string label, before, after;
    Difference difference;
    bool conflict_before = false, conflict_after = false;  // figures of conflicts, not zero
};
// At most `most` rows: those in which this pair differs most, in their usual order.
[[nodiscard]] std::vector<CountsRow> rows_of_counts(const CountsColumn& before,
                                                    const KernelCounts& after, std::size_t most);
// What stands over the "after" column: "09 tiled", or "PAD 1" beside "PAD 0".
[[nodiscard]] std::string after_label(const Trace& trace, const std::string& before_label,
                                      const Generation& generation = default_generation());

struct CountsPlace {
    Rect rect;
    float head = 0;  // height of the captions
    float row = 0;
    float px = 0;
    bool two_line_head = false;  // "before" over "02 naive"
    bool stacked = false;        // each row's figures below its label: two lines of half of `row`
};
// The figures of some row do not fit beside its label without much smaller type.
[[nodiscard]] bool counts_need_two_lines(const Look& look, const CountsPlace& place,
                                         const Workbench& workbench, std::size_t rows);
void draw_kernel_counts(const Look& look, const CountsPlace& place, const Workbench& workbench,
                        std::size_t rows);

}  // namespace tilereel
