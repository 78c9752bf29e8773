#pragma once
// Two replays side by side: what each side is of, and how the sides are named.
#include <array>
#include <string>

#include "app/workbench/compare_side.h"

namespace tilereel {

class Workbench;

// What the workbench watches; of a program or a trace, only the generation says anything.
[[nodiscard]] CompareSide side_of(const Workbench& workbench);

// What tells two sides apart: "PAD 0" and "PAD 1", "08 tiled_b_transposed" and "09 tiled". Where
// nothing does: "left" and "right". Both must have a recording.
[[nodiscard]] std::array<std::string, 2> side_labels(const Workbench& left, const Workbench& right);

}  // namespace tilereel
