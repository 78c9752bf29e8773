#pragma once
// Where the replay stands and whether it moves: tick, speed, play, scrub.
#include <span>

#include "app/replay/replay.h"

namespace tilereel {

inline constexpr double kSecondsATick = 0.160;  // at x1
[[nodiscard]] std::span<const double> offered_speeds();

class PlayHead {
  public:
    explicit PlayHead(bool playing) : playing_(playing) {}

    // Every movement takes the replay it moves in and leaves it at the new tick.
    void advance(Replay& replay, double seconds);  // the end stops it
    void seek(Replay& replay, double tick, bool scrubbing);
    void go_to(Replay& replay, Tick tick);                        // play goes on
    void step(Replay& replay, Replay::Unit unit, int direction);  // pauses
    // At the very end, playing starts over. Without a replay it only says whether to play at first.
    void toggle_playing(Replay* replay);
    void stop() { playing_ = scrubbing_ = false; }

    void set_unit(Replay::Unit unit) { unit_ = unit; }
    void set_speed(double factor);  // becomes the nearest offered
    void change_speed(int steps);

    [[nodiscard]] double position() const { return position_; }
    [[nodiscard]] bool playing() const { return playing_; }
    [[nodiscard]] bool scrubbing() const { return scrubbing_; }
    [[nodiscard]] Replay::Unit unit() const { return unit_; }
    [[nodiscard]] double speed() const { return offered_speeds()[speed_]; }

  private:
    void move_to(Replay& replay, double position);

    double position_ = 0;  // ticks
    bool playing_ = false;
    bool scrubbing_ = false;
    Replay::Unit unit_ = Replay::Unit::kRequest;
    std::size_t speed_ = 3;  // x1
};

}  // namespace tilereel
