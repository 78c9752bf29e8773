#include "app/workbench/playhead.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilereel {

std::span<const double> offered_speeds() {
    static constexpr std::array kSpeeds = {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0};
    return kSpeeds;
}

void PlayHead::advance(Replay& replay, double seconds) {
    if (!playing_ || scrubbing_ || !(seconds > 0)) return;
    move_to(replay, position_ + seconds / kSecondsATick * speed());
    if (position_ >= static_cast<double>(replay.ticks())) playing_ = false;
}

void PlayHead::seek(Replay& replay, double tick, bool scrubbing) {
    scrubbing_ = scrubbing;
    if (!std::isnan(tick)) move_to(replay, tick);
}

void PlayHead::go_to(Replay& replay, Tick tick) {
    scrubbing_ = false;
    move_to(replay, static_cast<double>(tick));
}

void PlayHead::step(Replay& replay, Replay::Unit unit, int direction) {
    stop();
    const auto from = static_cast<Tick>(position_);
    const Tick to = direction > 0 ? replay.next(unit, from) : replay.previous(unit, from);
    move_to(replay, static_cast<double>(to));
}

void PlayHead::toggle_playing(Replay* replay) {
    scrubbing_ = false;
    playing_ = !playing_;
    if (playing_ && replay != nullptr && position_ >= static_cast<double>(replay->ticks()))
        move_to(*replay, 0);
}

void PlayHead::set_speed(double factor) {
    if (!(factor > 0)) return;
    const auto distance = [&](double speed) { return std::abs(std::log2(speed / factor)); };
    speed_ = static_cast<std::size_t>(std::ranges::min_element(offered_speeds(), {}, distance) -
                                      offered_speeds().begin());
}

void PlayHead::change_speed(int steps) {
    const auto last = static_cast<std::int64_t>(offered_speeds().size()) - 1;
    const std::int64_t speed = static_cast<std::int64_t>(speed_) + steps;
    speed_ = static_cast<std::size_t>(std::clamp<std::int64_t>(speed, 0, last));
}

void PlayHead::move_to(Replay& replay, double position) {
    position_ = std::clamp(position, 0.0, static_cast<double>(replay.ticks()));
    replay.seek(static_cast<Tick>(position_));
}

}  // namespace tilereel
