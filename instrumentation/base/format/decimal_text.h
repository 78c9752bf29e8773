#pragma once
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace tilereel {

// What printf() writes for these values; at most 31 characters.
template <class... Values>
[[nodiscard]] std::string printed(const char* format, Values... values) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

// A value as it is written in a sentence.
[[nodiscard]] inline std::string decimal_text(double value) {
    if (std::isnan(value)) return "not a number";
    return printed("%.7g", value);
}

}  // namespace tilereel
