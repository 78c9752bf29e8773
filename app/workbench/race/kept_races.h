#pragma once
// Races that ran on this computer, kept as files.
#include <filesystem>
#include <vector>

#include "app/race/race.h"
#include "instrumentation/base/result.h"

namespace tilereel {

inline constexpr std::size_t kMostKeptRaces = 10;

// The file in which keep_race() keeps the race.
[[nodiscard]] std::filesystem::path kept_file(const Race& race,
                                              const std::filesystem::path& folder);
// Writes the race into the folder, which is made if it is missing, and removes the oldest kept
// races beyond kMostKeptRaces. A file is removed only if it holds the race that its name says:
// the user may have put others there.
Status keep_race(const Race& race, const std::filesystem::path& folder);
// The kept races, newest first.
[[nodiscard]] std::vector<std::filesystem::path> kept_races(const std::filesystem::path& folder);
// "race_NVIDIA-H100-80GB-HBM3_2026-11-21T10-00-00Z"
[[nodiscard]] std::string file_stem(const Race& race);

}  // namespace tilereel
