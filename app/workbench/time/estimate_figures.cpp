#include "app/workbench/time/estimate_figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "instrumentation/base/format/with_commas.h"

namespace tilereel {

std::string two_digits(double value) {
    if (value <= 0) return "0";
    const int digits = static_cast<int>(std::floor(std::log10(value)));
    const double unit = std::pow(10.0, digits - 1);
    const double rounded = std::round(value / unit) * unit;
    if (rounded >= 100) return with_commas(static_cast<std::uint64_t>(std::llround(rounded)));
    std::string text(32, '\0');
    const int decimals = std::max(0, 1 - digits);
    const int length = std::snprintf(text.data(), text.size(), "%.*f", decimals, rounded);
    text.resize(static_cast<std::size_t>(length));
    return text;
}

ReadableUnit time_unit(double seconds) {
    if (seconds >= 1) return {1, "s"};
    return seconds >= 1e-3 ? ReadableUnit{1e-3, "ms"} : ReadableUnit{1e-6, "us"};
}

std::string duration_text(double seconds) {
    const ReadableUnit unit = time_unit(seconds);
    return two_digits(seconds / unit.size) + " " + unit.name;
}

std::string share_text(double share) {
    if (share > 0 && share < 0.005) return "<1 %";
    return std::to_string(std::lround(100 * share)) + " %";
}

}  // namespace tilereel
