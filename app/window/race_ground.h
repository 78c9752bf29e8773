#pragma once
// What races in the window: on which device, and the recorded races that ship with the program.
#include <filesystem>
#include <vector>

#include "app/workbench/race_bench.h"

namespace tilereel {

// Whether a file that is to be opened is a race, by its name.
[[nodiscard]] bool is_race_file(const std::filesystem::path& path);

// The recorded races that ship with the program in `folder`, by name: assets/races in that folder,
// or else where they are installed. Empty if there are none.
[[nodiscard]] std::vector<std::filesystem::path> recorded_races(
    const std::filesystem::path& folder);

// The GPU where there is one, else the CPU; the races that ship with the running program.
[[nodiscard]] RaceBenchOptions race_ground(bool on_worker);

}  // namespace tilereel
