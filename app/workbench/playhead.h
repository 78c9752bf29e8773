#pragma once
// Where the replay stands and whether it moves: tick, speed, play, step, loop, scrub.
#include <optional>
#include <span>
#include <vector>

#include "app/workbench/played.h"

namespace tilereel {

inline constexpr double kSecondsATick = 0.160;  // at x1
// A step on is played, at any speed: at the pace of x1, but in no more than so many seconds.
inline constexpr double kLongestStepSeconds = 0.3;  // a request or a wavefront
inline constexpr double kLongestPartSeconds = 1.5;  // a part of a phase, or a phase
inline constexpr double kLongestBeatSeconds = 4.0;  // a beat of a lesson
[[nodiscard]] std::span<const double> offered_speeds();

class PlayHead {
  public:
    explicit PlayHead(bool playing) : playing_(playing) {}

    // Every movement takes what it moves in and leaves it at the new tick.
    void advance(const Played& played, double seconds);  // the end stops it
    void seek(const Played& played, double tick, bool scrubbing);
    void go_to(const Played& played, double position);  // play goes on
    // Steps pause. A step on (direction > 0) plays up to its end, which further calls of advance()
    // reach; the next step first goes there at once. A step back goes there at once.
    void step(const Played& played, StepUnit unit, int direction);
    void step_part(const Played& played, int direction);  // see part_stops()
    // Plays up to a position; from behind it, goes there at once. As a step does, it first goes
    // where the movement under way would have ended.
    void play_up_to(const Played& played, double position);
    // At the very end, playing starts over. Without a replay it only says whether to play at first.
    void toggle_playing(std::optional<Played> played);
    void toggle_playing(Replay* replay) {
        toggle_playing(replay == nullptr ? std::nullopt : std::optional<Played>(*replay));
    }
    // Ends a step that is under way where it leads, at once.
    void finish_step(const Played& played) {
        if (stepping_) jump_to(played, step_end_);
    }
    void stop() { playing_ = scrubbing_ = stepping_ = false; }
    void toggle_looping() { looping_ = !looping_; }

    void set_unit(StepUnit unit) { unit_ = unit; }
    void set_speed(double factor);  // becomes the nearest offered
    void change_speed(int steps);

    [[nodiscard]] double position() const { return position_; }
    [[nodiscard]] bool playing() const { return playing_; }
    [[nodiscard]] bool moving() const { return playing_ || stepping_; }
    // Where the movement that goes on, or the last one, began; after a jump: where it led.
    [[nodiscard]] double moved_from() const { return moved_from_; }
    // Playing starts over where the phase ends in which it began.
    [[nodiscard]] bool looping() const { return looping_; }
    [[nodiscard]] bool scrubbing() const { return scrubbing_; }
    [[nodiscard]] StepUnit unit() const { return unit_; }
    [[nodiscard]] double speed() const { return offered_speeds()[speed_]; }

  private:
    void move_to(const Played& played, double position);
    void jump_to(const Played& played, double position);
    void play_to(double position, double longest_seconds);
    void play(const Played& played, double ticks);
    [[nodiscard]] double destination() const { return stepping_ ? step_end_ : position_; }

    double position_ = 0;  // ticks; from Played::begin() on
    double moved_from_ = 0;
    bool playing_ = false;
    bool scrubbing_ = false;
    bool looping_ = false;
    bool stepping_ = false;  // on the way to step_end_
    double step_end_ = 0, step_ticks_a_second_ = 0;
    StepUnit unit_ = StepUnit::kRequest;
    std::size_t speed_ = 3;  // x1
};

}  // namespace tilereel
