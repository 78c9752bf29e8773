#pragma once
// Figures of an estimate as text, with two digits: more would claim more than an estimate knows.
#include <cstdint>
#include <string>

namespace tilereel {

[[nodiscard]] std::string two_digits(double value);  // "1.9", "9,200", "0.031", "0"

// A unit in which a figure is easy to read.
struct ReadableUnit {
    double size = 1;  // in the basic unit
    const char* name = "";
};
[[nodiscard]] ReadableUnit time_unit(double seconds);     // s, ms or us
[[nodiscard]] std::string duration_text(double seconds);  // "1.9 ms"
[[nodiscard]] std::string share_text(double share);       // "88 %"; "<1 %" for what is above 0

}  // namespace tilereel
