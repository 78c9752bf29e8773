#pragma once
// A race as a JSON file, with one sample per line.
//   {"format": "tilereel race", "version": 1, "date": "...", "complete": true,
//    "machine": {...}, "request": {"contenders": [...], "sizes": [[M, N, K], ...], ...},
//    "resources": [...], "verified": [...], "samples": [...]}
// `contender` and `size` in "verified" and "samples" are indices in the request's lists, from 0.
// A race of what is no product is of version 2: the request has "bytes", RaceRequest::bytes, and
// the "gflops" of a sample are GB/s.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/race/race.h"

namespace tilereel {

inline constexpr int kRaceFormatVersion = 2;
inline constexpr std::uint64_t kLargestRaceFileBytes = 32ull << 20;

// Replaces the file completely or not at all.
Status write_race(const Race& race, const std::filesystem::path& path);
// kFailed with the reason: no such file, not a race, a newer version, numbers out of range. In the
// returned race every index is valid and every number is finite.
Result<Race> read_race(const std::filesystem::path& path);

[[nodiscard]] std::string race_json(const Race& race);
Result<Race> race_of_json(std::string_view text);  // messages without a path: "it is ..."

// What a process that races writes for the one that started it: a line for the race without its
// events, then a line for each event. RaceLineReader reads them (race_line_reader.h).
[[nodiscard]] std::string race_line(const Race& race);
[[nodiscard]] std::string event_line(const RaceEvent& event);

// The names in the file.
[[nodiscard]] std::string_view name_of(Outcome outcome);
[[nodiscard]] std::string_view name_of(Caches caches);

}  // namespace tilereel
