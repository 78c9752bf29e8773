#pragma once
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace tilereel {

// An element of C as it is written in a sentence; NaN stands for a place that nothing was stored
// to.
[[nodiscard]] inline std::string value_words(double value) {
    if (std::isnan(value)) return "nothing";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.7g", value);
    return text.data();
}

}  // namespace tilereel
