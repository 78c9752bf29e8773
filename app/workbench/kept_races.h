#pragma once
// Races that ran on this computer, kept as files.
#include <filesystem>
#include <vector>

#include "app/race/race.h"
#include "instrumentation/base/result.h"

namespace tilereel {

inline constexpr std::size_t kMostKeptRaces = 10;

// Writes the race into the folder, which is made if it is missing, and removes the oldest races
// beyond kMostKeptRaces.
Status keep_race(const Race& race, const std::filesystem::path& folder);
// The kept races, newest first.
[[nodiscard]] std::vector<std::filesystem::path> kept_races(const std::filesystem::path& folder);
// "race_NVIDIA-H100-80GB-HBM3_2026-11-21T10-00-00Z"
[[nodiscard]] std::string file_stem(const Race& race);

}  // namespace tilereel
