#pragma once
// The text of a phase table's cells. Each phase has a column for the loads of each array and one
// for the multiply-adds.
#include <string>
#include <vector>

#include "instrumentation/analysis/phase_table.h"

namespace tilereel {

struct PhaseColumn {
    ArrayId array = kNoArray;        // the array loaded from; kNoArray: there are only stores
    std::vector<ArrayId> targets{};  // shared arrays that those loads are stored to
    bool sums = false;               // a column of multiply-adds instead
    std::size_t characters = 0;      // of the longest line of any cell
};

struct PhaseLayout {
    std::vector<PhaseColumn> columns;  // the same in every phase
    std::size_t lines = 1;             // of the highest cell
};
// Reads the whole table: too slow to call in every frame.
[[nodiscard]] PhaseLayout lay_out(const Trace& trace, const PhaseTable& table);

struct PhaseCellText {
    std::vector<std::string> lines;
    bool not_loaded = false;  // some value was stored that was not loaded
};
// A long list of loads or products is cut: the first, how many more, and the last. Of several sums
// only the first is listed.
[[nodiscard]] PhaseCellText text_of(const Trace& trace, const PhaseCell& cell,
                                    const PhaseColumn& column);
// What a thread does in a phase, with nothing cut.
[[nodiscard]] std::string whole_text(const Trace& trace, const PhaseThread& thread,
                                     std::uint32_t phase);
// "[0,1]": the thread's row and column in its block, as the documents write it.
[[nodiscard]] std::string name_of(const PhaseThread& thread);

}  // namespace tilereel
