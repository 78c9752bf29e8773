#pragma once
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace tilereel {

// A value as it is written in a sentence.
[[nodiscard]] inline std::string decimal_text(double value) {
    if (std::isnan(value)) return "not a number";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.7g", value);
    return text.data();
}

}  // namespace tilereel
