#include "app/workbench/playhead.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilereel {

std::span<const double> offered_speeds() {
    static constexpr std::array kSpeeds = {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0};
    return kSpeeds;
}

void PlayHead::advance(const Played& played, double seconds) {
    if (scrubbing_ || !(seconds > 0)) return;
    if (playing_) return play(played, seconds / kSecondsATick * speed());
    if (!stepping_) return;
    move_to(played, std::min(position_ + seconds * step_ticks_a_second_, step_end_));
    stepping_ = position_ < step_end_;
}

void PlayHead::play(const Played& played, double ticks) {
    double to = position_ + ticks;
    if (looping_) {
        const auto tick = static_cast<Tick>(position_);
        const auto end = static_cast<double>(played.next_tick(StepUnit::kPhase, tick));
        const auto begin = static_cast<double>(played.previous_tick(StepUnit::kPhase, tick + 1));
        if (to >= end) return jump_to(played, begin);
    }
    move_to(played, to);
    if (position_ >= static_cast<double>(played.ticks())) playing_ = false;
}

void PlayHead::seek(const Played& played, double tick, bool scrubbing) {
    scrubbing_ = scrubbing;
    if (!std::isnan(tick)) jump_to(played, std::max(tick, 0.0));
}

void PlayHead::go_to(const Played& played, double position) {
    scrubbing_ = false;
    jump_to(played, position);
}

void PlayHead::step(const Played& played, StepUnit unit, int direction) {
    const double from = destination();
    stop();
    if (direction < 0) {
        const auto after = static_cast<Tick>(std::ceil(from));
        return jump_to(played, static_cast<double>(played.previous_tick(unit, after)));
    }
    jump_to(played, from);
    play_to(static_cast<double>(played.next_tick(unit, static_cast<Tick>(from))),
            unit == StepUnit::kPhase ? kLongestPartSeconds : kLongestStepSeconds);
}

void PlayHead::step_part(const Played& played, int direction) {
    const double from = destination();
    stop();
    const std::optional<double> stop = stop_beside(played.part_stops(), from, direction);
    if (direction < 0) return jump_to(played, stop.value_or(0));
    jump_to(played, from);
    play_to(stop.value_or(static_cast<double>(played.ticks())), kLongestPartSeconds);
}

void PlayHead::play_up_to(const Played& played, double position) {
    const double from = destination();
    stop();
    jump_to(played, from < position ? from : position);
    play_to(position, kLongestBeatSeconds);
}

void PlayHead::toggle_playing(std::optional<Played> played) {
    scrubbing_ = stepping_ = false;
    playing_ = !playing_;
    if (!playing_) return;
    moved_from_ = position_;
    if (played && position_ >= static_cast<double>(played->ticks())) jump_to(*played, 0);
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

void PlayHead::move_to(const Played& played, double position) {
    position_ = std::clamp(position, played.begin(), static_cast<double>(played.ticks()));
    played.seek(position_);
}

void PlayHead::jump_to(const Played& played, double position) {
    stepping_ = false;
    move_to(played, position);
    moved_from_ = position_;
}

void PlayHead::play_to(double position, double longest_seconds) {
    const double ticks = position - position_;
    if (!(ticks > 0)) return;
    stepping_ = true;
    step_end_ = position;
    step_ticks_a_second_ = ticks / std::min(ticks * kSecondsATick, longest_seconds);
}

}  // namespace tilereel
