#include "app/workbench/launch/barrier_opening.h"

#include <algorithm>
#include <cmath>

namespace tilereel {
namespace {

// The last barrier in (from, to]; nullopt if there is none.
std::optional<std::uint32_t> passed_between(const Replay& replay, double from, double to) {
    const std::vector<Barrier>& barriers = replay.schedule().barriers;
    const auto after = std::ranges::upper_bound(
        barriers, to, {}, [](const Barrier& b) { return static_cast<double>(b.at); });
    if (after == barriers.begin() || static_cast<double>(std::prev(after)->at) <= from)
        return std::nullopt;
    return static_cast<std::uint32_t>(after - barriers.begin() - 1);
}

}  // namespace

float BarrierOpening::gap() const {
    const double closing = (kBarrierOpenSeconds - seconds) / kBarrierPartsSeconds;
    return static_cast<float>(
        std::clamp(std::min(seconds / kBarrierPartsSeconds, closing), 0.0, 1.0));
}

std::optional<float> BarrierOpening::passed() const {
    // The bar parts before the first warp reaches it.
    const double since = seconds - kBarrierPartsSeconds / 2;
    if (since >= kBarrierPassSeconds) return std::nullopt;
    return static_cast<float>(std::max(since / kBarrierPassSeconds, 0.0));
}

void BarrierGate::follow(const Replay& replay, const Standing& now, double seconds) {
    const bool jumped = replay_ != replay.id() || !now.animated ||
                        now.speed > kFastestBarrierOpening || now.position < last_position_ ||
                        (now.moved_from != last_moved_from_ && now.moved_from != last_position_);
    if (jumped) {
        opening_.reset();
    } else if (const auto barrier = passed_between(replay, last_position_, now.position)) {
        opening_ = BarrierOpening{.barrier = *barrier};
    } else if (opening_) {
        // A replay that is stopped between two ticks holds what moves.
        const bool held = !now.moving && now.position != std::floor(now.position);
        if (!held) opening_->seconds += seconds;
        if (opening_->seconds >= kBarrierOpenSeconds) opening_.reset();
    }
    replay_ = replay.id();
    last_position_ = now.position;
    last_moved_from_ = now.moved_from;
}

}  // namespace tilereel
