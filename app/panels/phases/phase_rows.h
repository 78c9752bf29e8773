#pragma once
// A phase table as the lines of its cells: for each phase a column for the loads of each array and
// one for the multiply-adds.
#include <string>
#include <vector>

#include "instrumentation/analysis/phase_table.h"

namespace tilereel {

struct PhaseColumn {
    ArrayId array = kNoArray;        // that is loaded from; kNoArray: only stored to
    std::vector<ArrayId> targets{};  // shared arrays that those loads are stored to
    bool sums = false;               // multiply-adds instead
    std::size_t characters = 0;      // of the longest line of any cell
};

struct PhaseLayout {
    std::vector<PhaseColumn> columns;  // the same in every phase
    std::size_t lines = 1;             // of the highest cell
};
// Reads the whole table: not for a frame.
[[nodiscard]] PhaseLayout lay_out(const Trace& trace, const PhaseTable& table);

struct PhaseCellText {
    std::vector<std::string> lines;
    bool not_loaded = false;  // some value was stored that was not loaded
};
// Several loads, sums or products are cut to a first, how many more, and the last.
[[nodiscard]] PhaseCellText text_of(const Trace& trace, const PhaseCell& cell,
                                    const PhaseColumn& column);
// All of it, nothing cut.
[[nodiscard]] std::string whole_text(const Trace& trace, const PhaseThread& thread,
                                     std::uint32_t phase);
// "[0,1]": the thread's row and column in its block, as the documents write it.
[[nodiscard]] std::string name_of(const PhaseThread& thread);

}  // namespace tilereel
