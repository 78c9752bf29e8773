#pragma once
// The rounds of a block; see Round.
#include "app/replay/schedule.h"

namespace tilereel {

// In a block of one thread, which computes its part of C piece by piece (an element, or the strip
// that its registers hold): from the first request of a piece to the last of its stores.
struct Round {
    Tick begin = 0, end = 0;
    CellRect stores;  // of C
};

[[nodiscard]] std::vector<Round> find_rounds(const Trace& trace, const Schedule& schedule);
// Where the rounds reach a new row of C.
[[nodiscard]] std::vector<Tick> begins_of_rows(const std::vector<Round>& rounds);

}  // namespace tilereel
