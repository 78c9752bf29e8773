#pragma once
// Positions at which the replay can be stopped: parts of phases, bank conflicts, barriers. All are
// in ticks and need not be integers.
#include <optional>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel {

// A stop at a barrier is this many ticks before its release: the last request before it is nearly
// done, and the warps that have arrived still wait.
inline constexpr double kBeforeBarrier = 1.0 / 32;

// Ascending. With block barriers a phase has four stops: load, barrier, compute, barrier. Without
// them there is one at the first request of each part of a phase. With rounds (Replay::rounds())
// there is one at the first load and the first compute request of each round.
[[nodiscard]] std::vector<double> part_stops(const Replay& replay);
[[nodiscard]] std::vector<double> barrier_stops(const Replay& replay);
// The begins of the requests with bank conflicts.
[[nodiscard]] std::vector<double> conflict_stops(const Replay& replay);
// The begins of the requests of a warp; with a lane: of those in which the lane is active.
[[nodiscard]] std::vector<double> request_stops(const Replay& replay, std::uint32_t warp,
                                                std::optional<std::uint32_t> lane);

// The first stop after `from` (direction > 0), or the last one before it; nullopt if there is none.
[[nodiscard]] std::optional<double> stop_beside(const std::vector<double>& stops, double from,
                                                int direction);

}  // namespace tilereel
