#pragma once
// A race as a file: JSON, one sample a line, that other programs read as easily.
//   {"format": "tilereel race", "version": 1, "date": "...", "complete": true,
//    "machine": {...}, "request": {"contenders": [...], "sizes": [[M, N, K], ...], ...},
//    "resources": [...], "verified": [...], "samples": [...]}
// `contender` and `size` in the last two are places in the request's lists, from 0.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/race/race.h"

namespace tilereel {

inline constexpr int kRaceFormatVersion = 1;
inline constexpr std::uint64_t kLargestRaceFileBytes = 32ull << 20;

// Replaces the file whole or not at all.
Status write_race(const Race& race, const std::filesystem::path& path);
// kFailed with what is wrong: no such file, no race, a newer version, numbers out of range. What it
// returns is sound: every index has something to point at, every number is finite.
Result<Race> read_race(const std::filesystem::path& path);

[[nodiscard]] std::string race_json(const Race& race);
Result<Race> race_of_json(std::string_view text);  // messages without a path: "it is ..."

// The names of the outcomes and of cold and warm, as in the file.
[[nodiscard]] std::string_view name_of(Outcome outcome);
[[nodiscard]] std::string_view name_of(Caches caches);

}  // namespace tilereel
