#include "app/ui/draw/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "instrumentation/base/check.h"
#include "instrumentation/base/format/decimal_text.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

constexpr double kSlack = 1e-9;  // share of an axis; keeps a tick at its end despite rounding

// 10^exponent, exact where a double can represent it.
double power_of_ten(int exponent) {
    return exponent >= 0 ? std::pow(10.0, exponent) : 1.0 / std::pow(10.0, -exponent);
}

// The multiples of `step` from low to high.
std::vector<double> multiples(double step, double low, double high) {
    const double slack = kSlack * (high - low);
    std::vector<double> values;
    for (double n = std::ceil((low - slack) / step); n * step <= high + slack; n += 1)
        values.push_back(n * step);
    return values;
}

std::vector<double> linear_ticks(double low, double high, int most) {
    // Rounding the step up to 1, 2 or 5 times a power of ten may still leave too many ticks.
    double step = round_step((high - low) / std::max(1, most));
    while (std::ssize(multiples(step, low, high)) > most) step = round_step(step * 1.01);
    return multiples(step, low, high);
}

// digit x 10^n for each digit and every `stride`-th n.
std::vector<double> decade_ticks(const Axis& axis, std::span<const double> digits, int stride) {
    const double low = axis.low * (1 - kSlack), high = axis.high * (1 + kSlack);
    std::vector<double> values;
    const int first = static_cast<int>(std::floor(std::log10(low)));
    for (int n = first - (first % stride + stride) % stride; power_of_ten(n) <= high; n += stride)
        for (const double digit : digits)
            if (const double value = digit * power_of_ten(n); value >= low && value <= high)
                values.push_back(value);
    return values;
}

std::vector<double> log10_ticks(const Axis& axis, int most) {
    constexpr double kOneTwoFive[] = {1, 2, 5}, kOne[] = {1};
    const auto count = [](const auto& values) { return static_cast<int>(values.size()); };
    std::vector<double> values = decade_ticks(axis, kOneTwoFive, 1);
    for (int stride = 1; count(values) > most; ++stride) values = decade_ticks(axis, kOne, stride);
    return values;
}

std::vector<double> log2_ticks(const Axis& axis, int most) {
    const int first = static_cast<int>(std::ceil(std::log2(axis.low) - kSlack));
    const int last = static_cast<int>(std::floor(std::log2(axis.high) + kSlack));
    std::vector<double> values;
    for (int stride = 1;; ++stride) {
        values.clear();
        for (int n = first; n <= last; ++n)
            if (n % stride == 0) values.push_back(std::ldexp(1.0, n));
        if (static_cast<int>(values.size()) <= most) return values;
    }
}

// The nearest 1, 2 or 5 x 10^n that is at most (direction -1) or at least (+1) `value`, which is
// positive.
double round_outwards(double value, int direction) {
    const int exponent = static_cast<int>(std::floor(std::log10(value)));
    double best = direction > 0 ? std::numeric_limits<double>::infinity() : 0;
    for (int n = exponent - 1; n <= exponent + 1; ++n)
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double candidate = digit * power_of_ten(n);
            if (direction > 0 && candidate >= value * (1 - kSlack))
                best = std::min(best, candidate);
            if (direction < 0 && candidate <= value * (1 + kSlack))
                best = std::max(best, candidate);
        }
    return best;
}

}  // namespace

double round_step(double step) {
    check(step > 0 && std::isfinite(step));
    return round_outwards(step, +1);
}

double Axis::share(double value) const {
    if (scale == AxisScale::kLinear) return (value - low) / (high - low);
    if (!(value > 0)) return -std::numeric_limits<double>::infinity();
    return std::log(value / low) / std::log(high / low);
}

Axis axis_over(AxisScale scale, double least, double most) {
    if (scale != AxisScale::kLinear) {
        if (!(most > 0)) most = 1;
        if (!(least > 0)) least = most;
    }
    if (least > most) std::swap(least, most);
    if (scale == AxisScale::kLog2) {
        const double low = std::exp2(std::floor(std::log2(least) + kSlack));
        const double high = std::exp2(std::ceil(std::log2(most) - kSlack));
        return {scale, low, low >= high ? 2 * low : high};
    }
    if (scale == AxisScale::kLog10) {
        const double low = round_outwards(least, -1), high = round_outwards(most, +1);
        if (low < high) return {scale, low, high};
        return {scale, round_outwards(low / 1.5, -1), round_outwards(high * 1.5, +1)};
    }
    if (least > 0) least = 0;
    if (least == most) most = least + 1;
    const double step = round_step((most - least) / 8);
    return {scale, std::floor(least / step + kSlack) * step,
            std::ceil(most / step - kSlack) * step};
}

std::vector<double> ticks_of(const Axis& axis, int most) {
    most = std::max(most, 2);
    if (axis.scale == AxisScale::kLinear) return linear_ticks(axis.low, axis.high, most);
    const auto ticks = [&axis](int limit) {
        return axis.scale == AxisScale::kLog2 ? log2_ticks(axis, limit) : log10_ticks(axis, limit);
    };
    std::vector<double> values = ticks(most);
    if (values.size() >= 2) return values;
    values = ticks(std::numeric_limits<int>::max());
    if (values.size() >= 2) return {values.front(), values.back()};
    return linear_ticks(axis.low, axis.high, most);
}

std::string axis_label(double value) {
    const double whole = std::round(value);
    if (std::abs(value - whole) <= 1e-6 * std::abs(value) && std::abs(value) < 1e15) {
        const auto digits = with_commas(static_cast<std::uint64_t>(std::abs(whole)));
        return whole < 0 ? "-" + digits : digits;
    }
    return printed("%.6g", value);
}

}  // namespace tilereel
