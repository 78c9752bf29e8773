#pragma once
// Where a replay is stopped to be looked at: part by part, at bank conflicts, at barriers. All
// positions are in ticks and need not be whole.
#include <optional>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel {

// A stop at a barrier stands so many ticks before the barrier opens: the last request before it is
// all but done, and the warps that have arrived still wait.
inline constexpr double kBeforeBarrier = 1.0 / 32;

// Ascending. With block barriers, a phase has four: its load, the barrier, its compute, the
// barrier. Without them: the first request of each part of a phase. In a block of one thread: the
// parts of its rounds (Replay::rounds()).
[[nodiscard]] std::vector<double> part_stops(const Replay& replay);
[[nodiscard]] std::vector<double> barrier_stops(const Replay& replay);
// The begins of the requests that cost bank conflicts.
[[nodiscard]] std::vector<double> conflict_stops(const Replay& replay);
// The begins of the requests of a warp; with a lane: of those that it takes part in.
[[nodiscard]] std::vector<double> request_stops(const Replay& replay, std::uint32_t warp,
                                                std::optional<std::uint32_t> lane);

// The first stop after `from` (direction > 0), or the last one before it; nullopt: there is none.
[[nodiscard]] std::optional<double> stop_beside(const std::vector<double>& stops, double from,
                                                int direction);

}  // namespace tilereel
