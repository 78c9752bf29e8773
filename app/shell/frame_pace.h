#pragma once
// When the next frame is due, and how long frames took from being due to being drawn.
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace tilereel {

// Starts a frame every `beat`. A frame that takes longer is followed by the next at once.
class FramePace {
  public:
    using Clock = std::chrono::steady_clock;

    // When the frame after one that was due at `due` and done at `done` is due.
    [[nodiscard]] static Clock::time_point next_due(Clock::time_point due, Clock::time_point done,
                                                    Clock::duration beat);
    // Sleeps until the next frame is due, and returns when that is; the first is due at once.
    Clock::time_point wait(Clock::duration beat);

  private:
    Clock::time_point due_{};
};

// The least time between two frames while a race runs on the CPU: drawing takes CPU time from the
// race.
inline constexpr std::chrono::milliseconds kBeatBesideRace{40};

class FrameTimes {
  public:
    void add(double milliseconds) { all_.push_back(milliseconds); }
    [[nodiscard]] std::size_t count() const { return all_.size(); }
    // A percentile: the milliseconds that this share (0 to 1) of the frames did not exceed; 0
    // without frames.
    [[nodiscard]] double within(double share) const;
    [[nodiscard]] double share_over(double milliseconds) const;
    // Lines: median, 95 %, 99 % and longest, the shares over 16.7 and 50 ms, and a histogram.
    [[nodiscard]] std::string report() const;

  private:
    std::vector<double> all_;
};

}  // namespace tilereel
