#pragma once
// Axes of a plot: where a value lies, which ticks an axis gets, and where labels go that must not
// overlap. Pure: no drawing.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tilereel {

enum class AxisScale : std::uint8_t { kLinear = 0, kLog10 = 1, kLog2 = 2 };

struct Axis {
    AxisScale scale = AxisScale::kLinear;
    double low = 0, high = 1;  // low < high; both positive on a logarithmic axis
    // 0 at `low`, 1 at `high`; less than 0 or more than 1 outside the axis. Minus infinity for a
    // value that a logarithmic axis cannot hold (zero, negative).
    [[nodiscard]] double share(double value) const;
    [[nodiscard]] double value_at(double share) const;
};

// An axis over least..most that ends on round numbers: steps of 1, 2 or 5 times a power of ten
// (linear and log10), powers of two (log2). A linear axis of positive values starts at 0.
[[nodiscard]] Axis axis_over(AxisScale scale, double least, double most);

// The values to label on an axis, ascending: at most `most` (at least 2), all of them round: 1, 2,
// 5 times a power of ten, or one such step apart; powers of two on log2. A logarithmic axis too
// short for two of those gets linear steps.
[[nodiscard]] std::vector<double> ticks_of(const Axis& axis, int most);

// The smallest 1, 2 or 5 times a power of ten that is at least `step`; `step` is positive.
[[nodiscard]] double round_step(double step);

// "16,384", "0.25", "1.5e-07"; at most six digits.
[[nodiscard]] std::string axis_label(double value);

// Moves labels that stand in order of `wanted` (their middles) apart, so that none overlaps: each
// `heights[i]` high, all within low..high, the sum of the squared moves as small as it can be.
// Returns the middles, in the order given. Where they do not all fit they overlap evenly.
[[nodiscard]] std::vector<float> spread_labels(std::span<const float> wanted,
                                               std::span<const float> heights, float low,
                                               float high);

}  // namespace tilereel
