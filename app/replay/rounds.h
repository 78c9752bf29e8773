#pragma once
// The rounds of a block; see Round.
#include "app/replay/schedule.h"

namespace tilereel {

[[nodiscard]] std::vector<Round> find_rounds(const Trace& trace, const Schedule& schedule);
// Where the rounds reach a new row of C.
[[nodiscard]] std::vector<Tick> begins_of_rows(const std::vector<Round>& rounds);

}  // namespace tilereel
