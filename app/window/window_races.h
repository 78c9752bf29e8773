#pragma once
// The races of the window: the device that they run on, and the recorded races that ship with the
// program.
#include <filesystem>
#include <vector>

#include "app/workbench/race/race_bench.h"

namespace tilereel {

// The recorded races that ship with the program in `folder`, ordered by name. They are in
// assets/races of that folder or where they were installed. Empty if there are none.
[[nodiscard]] std::vector<std::filesystem::path> recorded_races(
    const std::filesystem::path& folder);

// Options for races on the GPU if there is one, otherwise on the CPU, with the races that ship with
// the program.
[[nodiscard]] RaceBenchOptions window_races(bool on_worker);

}  // namespace tilereel
