#pragma once
// The time in which words slide to new banks, and numbers that count to new values meanwhile.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "app/ui/theme.h"

namespace tilereel {

inline constexpr double kGlideSeconds = 0.4;

// Slow at both ends.
[[nodiscard]] inline float eased(double share) {
    return static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * std::clamp(share, 0.0, 1.0)));
}

[[nodiscard]] inline float between(float a, float b, float share) { return a + (b - a) * share; }

// The share of the way of a glide that began at a time of Look::now_seconds. 1: it is over.
[[nodiscard]] inline float glide_share(const Look& look, double begun) {
    const double since = look.now_seconds - begun;
    return since < kGlideSeconds ? eased(since / kGlideSeconds) : 1;
}

class CountingNumbers {
  public:
    // From now on the numbers count from those that were drawn last.
    void begin(const Look& look) {
        from_ = last_;
        begun_ = look.now_seconds;
    }
    void stop() { begun_ = -1e9; }
    // Call it in each frame. `to`: the true numbers. Returns those to draw.
    [[nodiscard]] std::vector<std::uint32_t> drawn(const Look& look,
                                                   const std::vector<std::uint32_t>& to) {
        last_ = to;
        const float share = glide_share(look, begun_);
        if (share >= 1 || from_.size() != to.size()) return to;
        std::vector<std::uint32_t> numbers;
        for (std::size_t i = 0; i < to.size(); ++i)
            numbers.push_back(static_cast<std::uint32_t>(std::lround(
                between(static_cast<float>(from_[i]), static_cast<float>(to[i]), share))));
        return numbers;
    }

  private:
    std::vector<std::uint32_t> from_, last_;
    double begun_ = -1e9;
};

}  // namespace tilereel
