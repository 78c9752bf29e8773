#pragma once
// The warp and lane that are watched: those that the user chose, or those of the current request.
#include <cstdint>
#include <optional>

#include "app/replay/replay.h"

namespace tilereel {

class WatchedThread {
  public:
    // nullopt: the warp of the current request is watched.
    [[nodiscard]] const std::optional<std::uint32_t>& chosen_warp() const { return warp_; }
    // nullopt: the whole warp is watched.
    [[nodiscard]] std::optional<std::uint32_t> chosen_lane() const {
        return lane_chosen_ ? std::optional(lane_) : std::nullopt;
    }
    [[nodiscard]] std::uint32_t lane() const { return lane_; }
    // The chosen warp, else that of the current request.
    [[nodiscard]] std::uint32_t warp(const ReplayState& state, const Replay& replay) const;

    void choose_warp(std::optional<std::uint32_t> warp) {
        warp_ = warp;
        if (!warp) lane_chosen_ = false;
    }
    void choose_lane(std::uint32_t lane) { lane_ = lane, lane_chosen_ = true; }
    // Move the choice by `by`, cyclically. Without a chosen warp, next_warp() chooses the first one
    // or, if `by` is negative, the last one.
    void next_warp(std::uint32_t warps, int by);
    void next_lane(int by);
    // Forgets a chosen warp or lane that the launch does not have.
    void fit(const Launch& launch);

  private:
    std::optional<std::uint32_t> warp_;
    std::uint32_t lane_ = 0;
    bool lane_chosen_ = false;
};

}  // namespace tilereel
