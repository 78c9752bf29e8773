#pragma once
// The phase table of one block, as the report prints it.
#include <string>

#include "instrumentation/analysis/phases/phase_table.h"

namespace tilereel {

// A row for each thread, named Thread[y,x] or, where z is not 0, Thread[z,y,x]. Each phase lists
// the thread's loads, then its multiply-adds.
[[nodiscard]] std::string phases_text(const Trace& trace, const PhaseTable& table);
[[nodiscard]] std::string phases_csv(const Trace& trace, const PhaseTable& table);
// {"kernel", "complete", "block": [x, y], "phases", "threads": [{"thread": [y, x], "phases":
// [{"loads": [{"from", "to", "text"}], "sums": [{"c", "products": [{"a", "b", "a_holds",
// "b_holds"}], "text"}]}]}]}. After "complete" also what put_removed_barrier() adds.
[[nodiscard]] std::string phases_json(const Trace& trace, const PhaseTable& table);

}  // namespace tilereel
