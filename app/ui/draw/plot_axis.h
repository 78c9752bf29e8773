#pragma once
// Axes of a plot: the position of a value and the ticks of an axis. Draws nothing.
#include <cstdint>
#include <string>
#include <vector>

namespace tilereel {

enum class AxisScale : std::uint8_t { kLinear = 0, kLog10 = 1, kLog2 = 2 };

struct Axis {
    AxisScale scale = AxisScale::kLinear;
    double low = 0, high = 1;  // low < high; both positive on a logarithmic axis
    // Position on the axis: 0 at `low`, 1 at `high`, below 0 or above 1 outside. Minus infinity for
    // a value that a logarithmic axis cannot show (zero or negative).
    [[nodiscard]] double share(double value) const;
};

// An axis that contains least..most and ends on round numbers: multiples of 1, 2 or 5 times a power
// of ten (linear and log10), powers of two (log2). A linear axis of positive values starts at 0.
[[nodiscard]] Axis axis_over(AxisScale scale, double least, double most);

// The values to label on an axis, ascending; at most `most` of them (`most` is at least 2). Linear:
// multiples of 1, 2 or 5 times a power of ten. Logarithmic: 1, 2 or 5 times a power of ten, or
// powers of two on log2; an axis too short for two of those gets linear ticks.
[[nodiscard]] std::vector<double> ticks_of(const Axis& axis, int most);

// The smallest 1, 2 or 5 times a power of ten that is at least `step`; `step` is positive.
[[nodiscard]] double round_step(double step);

// "16,384", "0.25", "1.5e-07". Whole numbers have all their digits, others at most six significant
// ones.
[[nodiscard]] std::string axis_label(double value);

}  // namespace tilereel
