#pragma once
// The position of the replay and its movement: tick, speed, play, step, loop, scrub.
#include <optional>
#include <span>
#include <vector>

#include "app/workbench/played.h"

namespace tilereel {

inline constexpr double kSecondsATick = 0.160;  // at x1
// A forward step is animated at the pace of x1, whatever the speed, but in at most this many
// seconds.
inline constexpr double kLongestStepSeconds = 0.3;  // a request or a wavefront
inline constexpr double kLongestPartSeconds = 1.5;  // a part of a phase, or a phase
inline constexpr double kLongestBeatSeconds = 4.0;  // a beat of a lesson
[[nodiscard]] std::span<const double> offered_speeds();

class PlayHead {
  public:
    explicit PlayHead(bool playing) : playing_(playing) {}

    // Every movement seeks `played` to the new position.
    void advance(const Played& played, double seconds);  // stops at the end
    void seek(const Played& played, double tick, bool scrubbing);
    void go_to(const Played& played, double position);  // does not stop playing
    // A step stops playing. A forward step (direction > 0) is animated by later calls of advance();
    // the next step first jumps to its end. A backward step is a jump.
    void step(const Played& played, StepUnit unit, int direction);
    void step_part(const Played& played, int direction);  // see part_stops()
    // Plays up to a position, or jumps back to it. Like a step, it first jumps to the end of a step
    // that is being animated.
    void play_up_to(const Played& played, double position);
    // At the end, playing starts from the begin. Without a replay it only sets whether to play
    // later.
    void toggle_playing(std::optional<Played> played);
    void toggle_playing(Replay* replay) {
        toggle_playing(replay == nullptr ? std::nullopt : std::optional<Played>(*replay));
    }
    // Jumps to the end of a step that is being animated.
    void finish_step(const Played& played) {
        if (stepping_) jump_to(played, step_end_);
    }
    void stop() { playing_ = scrubbing_ = stepping_ = false; }
    void toggle_looping() { looping_ = !looping_; }

    void set_unit(StepUnit unit) { unit_ = unit; }
    void set_speed(double factor);  // rounded to the nearest of offered_speeds()
    void change_speed(int steps);

    [[nodiscard]] double position() const { return position_; }
    [[nodiscard]] bool playing() const { return playing_; }
    [[nodiscard]] bool moving() const { return playing_ || stepping_; }
    // The begin of the current or last continuous movement; after a jump, its destination.
    [[nodiscard]] double moved_from() const { return moved_from_; }
    // Whether playing repeats the current phase.
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

    double position_ = 0;  // ticks, at least Played::begin()
    double moved_from_ = 0;
    bool playing_ = false;
    bool scrubbing_ = false;
    bool looping_ = false;
    bool stepping_ = false;  // a step to step_end_ is being animated
    double step_end_ = 0, step_ticks_a_second_ = 0;
    StepUnit unit_ = StepUnit::kRequest;
    std::size_t speed_ = 3;  // x1
};

}  // namespace tilereel
