#pragma once
// The watched warp and lane: the user's choice, or the warp and lane of the current request.
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/replay/replay.h"
#include "app/replay/schedule/lane_work.h"

namespace tilereel::stage {

class LaneView {
  public:
    // If `replay` is another one: clears the caches, and resets a chosen warp or lane that it does
    // not have.
    void refresh(const Replay& replay);

    // nullopt: the warp of the current request is watched.
    [[nodiscard]] const std::optional<std::uint32_t>& chosen_warp() const { return warp_; }
    // nullopt: the whole warp is watched.
    [[nodiscard]] std::optional<std::uint32_t> chosen_lane() const {
        return lane_chosen_ ? std::optional(lane_) : std::nullopt;
    }
    void choose_warp(std::optional<std::uint32_t> warp) {
        warp_ = warp;
        if (!warp) lane_chosen_ = false;
    }
    void choose_lane(std::uint32_t lane) { lane_ = lane, lane_chosen_ = true; }
    // Move the choice by `by`, cyclically. Without a chosen warp, next_warp() chooses the first one
    // or, if `by` is negative, the last one.
    void next_warp(const Replay& replay, int by);
    void next_lane(int by);

    [[nodiscard]] std::uint32_t warp(const ReplayState& state, const Replay& replay) const;
    [[nodiscard]] std::uint32_t lane() const { return lane_; }

    // Computed once for each warp and lane.
    [[nodiscard]] const LaneWork& work(const Replay& replay, std::uint32_t warp,
                                       std::uint32_t lane);
    // The cells of A, B and C that a warp works on in a phase.
    struct Parts {
        std::vector<CellRect> a, b, c;
    };
    [[nodiscard]] const Parts& parts(const Replay& replay, std::uint32_t warp, std::uint32_t phase);
    // For each cell of a plane of a shared array (row-major, with padding): whether the warp reads
    // it in any phase.
    [[nodiscard]] const std::vector<bool>& reads(const Replay& replay, std::uint32_t warp,
                                                 ArrayId shared);

  private:
    std::uint64_t replay_ = 0;
    std::optional<std::uint32_t> warp_;
    std::uint32_t lane_ = 0;
    bool lane_chosen_ = false;
    std::map<std::pair<std::uint32_t, std::uint32_t>, LaneWork> work_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Parts> parts_;
    std::map<std::pair<std::uint32_t, ArrayId>, std::vector<bool>> reads_;
};

}  // namespace tilereel::stage
