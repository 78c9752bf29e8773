#pragma once
// Two replays side by side: the launch and the name of each side.
#include <array>
#include <optional>
#include <string>

#include "app/subject/subject.h"

namespace tilereel {

class Workbench;

// What is on the screen. nullopt: nothing is, or it cannot be named. The block is not set.
[[nodiscard]] std::optional<Subject> shown_subject(const Workbench& workbench);
// The launch that a comparison with another kernel, TILE or PAD starts from: the last one that was
// asked for. Of a program or a trace only the generation is set.
[[nodiscard]] Subject side_of(const Workbench& workbench);

// The difference between the sides: "PAD 0" and "PAD 1", "08 tiled_b_transposed" and "09 tiled". If
// there is none: "left" and "right". Both must have a recording.
[[nodiscard]] std::array<std::string, 2> side_labels(const Workbench& left, const Workbench& right);

}  // namespace tilereel
