#pragma once
// The text of a phase table's cells. Each phase has a column for the loads of each array and one
// for the multiply-adds.
#include <string>
#include <vector>

#include "instrumentation/analysis/phases/phase_table.h"

namespace tilereel {

struct PhaseColumn {
    ArrayId array = kNoArray;        // the array loaded from; kNoArray: the column has only stores
    std::vector<ArrayId> targets{};  // shared arrays to which the loaded values are stored
    bool sums = false;               // a column of multiply-adds instead
    std::size_t characters = 0;      // length of the longest line in the column
};

struct PhaseLayout {
    std::vector<PhaseColumn> columns;  // the same in every phase
    std::size_t lines = 1;             // number of lines in the highest cell
};
// Reads the whole table, so it is too slow to call in every frame.
[[nodiscard]] PhaseLayout lay_out(const Trace& trace, const PhaseTable& table);

// Whether the load belongs to the column. A value that was stored but not loaded belongs to the
// column whose loads are stored to the same shared array.
[[nodiscard]] bool belongs(const PhaseColumn& column, const PhaseLoad& load);

struct PhaseCellText {
    std::vector<std::string> lines;
    bool not_loaded = false;  // a value was stored that was not loaded before
};
// The text of a cell. Long lists of loads or products are shortened to the first, the number of the
// others, and the last. Of several sums only the first is listed.
[[nodiscard]] PhaseCellText text_of(const Trace& trace, const PhaseCell& cell,
                                    const PhaseColumn& column);
// What a thread does in a phase, not shortened.
[[nodiscard]] std::string whole_text(const Trace& trace, const PhaseThread& thread,
                                     std::uint32_t phase);
// "[0,1]": the thread's row and column in its block, in the notation of the documents.
[[nodiscard]] std::string name_of(const PhaseThread& thread);

}  // namespace tilereel
