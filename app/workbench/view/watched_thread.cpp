#include "app/workbench/view/watched_thread.h"

#include <algorithm>

namespace tilereel {
namespace {

std::uint32_t moved(std::uint32_t from, int by, std::uint32_t count) {
    const auto all = static_cast<std::int64_t>(count), to = std::int64_t{from} + by;
    return static_cast<std::uint32_t>((to % all + all) % all);
}

}  // namespace

std::uint32_t WatchedThread::warp(const ReplayState& state, const Replay& replay) const {
    if (warp_) return *warp_;
    const std::uint32_t step = state.request.step;
    return step < replay.schedule().steps.size() ? replay.schedule().steps[step].warp : 0;
}

void WatchedThread::next_warp(std::uint32_t warps, int by) {
    warps = std::max(1u, warps);
    warp_ = warp_ ? moved(*warp_, by, warps) : by > 0 ? 0 : warps - 1;
}

void WatchedThread::next_lane(int by) { choose_lane(moved(lane_, by, kWarpSize)); }

void WatchedThread::fit(const Launch& launch) {
    if (warp_ && *warp_ >= launch.warps()) warp_.reset();
    if (lane_ >= launch.threads()) lane_ = 0, lane_chosen_ = false;
}

}  // namespace tilereel
