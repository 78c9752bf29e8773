#pragma once
// How a count has changed, in words.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "instrumentation/base/format/decimal_text.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {

// The factor between two counts, either way: at least 1. 0 to something and something to 0 are
// infinite.
[[nodiscard]] inline double change_factor(std::uint64_t former, std::uint64_t now) {
    if (former == now) return 1;
    if (former == 0 || now == 0) return INFINITY;
    const double ratio = static_cast<double>(former) / static_cast<double>(now);
    return std::max(ratio, 1 / ratio);
}

// "sectors / 16" with the sign of a division, "bank conflicts 896 to 0".
[[nodiscard]] inline std::string change_text(std::string_view name, std::uint64_t former,
                                             std::uint64_t now) {
    const std::string words(name);
    if (former == 0 || now == 0)
        return words + " " + with_commas(former) + " to " + with_commas(now);
    const double change = change_factor(former, now);
    std::string factor = printed(change >= 99.95 ? "%.0f" : "%.1f", change);
    if (factor.ends_with(".0")) factor.resize(factor.size() - 2);
    return words + (former > now ? " \xc3\xb7 " : " \xc3\x97 ") + factor;
}

}  // namespace tilereel
