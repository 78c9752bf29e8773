#pragma once
// The rounds of a block; see Round.
#include "app/replay/schedule/schedule.h"

namespace tilereel {

// A block of one thread computes its part of C piece by piece (an element, or the strip that its
// registers hold). A round lasts from the first request of a piece to its last store.
struct Round {
    Tick begin = 0, end = 0;
    CellRect stores;  // elements of C
};

[[nodiscard]] std::vector<Round> find_rounds(const Trace& trace, const Schedule& schedule);
// The ticks at which the rounds reach a new row of C.
[[nodiscard]] std::vector<Tick> begins_of_rows(const std::vector<Round>& rounds);

}  // namespace tilereel
