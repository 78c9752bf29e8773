#pragma once
// Two replays side by side: the launch and the name of each side.
#include <array>
#include <string>

#include "app/workbench/view/compare_side.h"

namespace tilereel {

class Workbench;

// The launch that the workbench watches. For a program or a trace, only the generation is valid.
[[nodiscard]] CompareSide side_of(const Workbench& workbench);

// The difference between the sides: "PAD 0" and "PAD 1", "08 tiled_b_transposed" and "09 tiled". If
// there is none: "left" and "right". Both must have a recording.
[[nodiscard]] std::array<std::string, 2> side_labels(const Workbench& left, const Workbench& right);

}  // namespace tilereel
