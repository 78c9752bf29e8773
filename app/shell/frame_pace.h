#pragma once
// The time at which the next frame is due, and statistics of the time that frames take.
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace tilereel {

// Starts a frame every `interval`. If a frame takes longer, the next one starts immediately.
class FramePace {
  public:
    using Clock = std::chrono::steady_clock;

    // The due time after a frame that was due at `due` and done at `done`.
    [[nodiscard]] static Clock::time_point next_due(Clock::time_point due, Clock::time_point done,
                                                    Clock::duration interval);
    // Sleeps until the next frame is due and returns its due time. The first one is due at once.
    Clock::time_point wait(Clock::duration interval);

  private:
    Clock::time_point due_{};
};

// The interval of frames while a race runs on the CPU, because drawing takes CPU time from the
// race.
inline constexpr std::chrono::milliseconds kFrameIntervalDuringRace{40};

// Each time is from when a frame was due until it was drawn.
class FrameTimes {
  public:
    void add(double milliseconds) { all_.push_back(milliseconds); }
    [[nodiscard]] std::size_t count() const { return all_.size(); }
    // The quantile for `share` (0 to 1) in milliseconds; 0 without frames.
    [[nodiscard]] double quantile(double share) const;
    [[nodiscard]] double share_over(double milliseconds) const;
    // Median, 95th and 99th percentile, maximum, the shares over 16.7 and 50 ms, and a histogram.
    [[nodiscard]] std::string report() const;

  private:
    std::vector<double> all_;
};

}  // namespace tilereel
