#pragma once
// Commands that take the replay to where something happens.
#include "app/workbench/command.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// To the block and the tick of a hazard, and pause there.
[[nodiscard]] Commands show_finding(const Workbench& workbench, const Finding& finding);
// To where an element of C has just been stored.
[[nodiscard]] Commands show_stored(const Workbench& workbench, std::uint32_t row,
                                   std::uint32_t column);

}  // namespace tilereel
