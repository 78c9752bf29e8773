#pragma once
#include <array>
#include <ctime>
#include <string>

namespace tilereel {

// The local time: "14:01:12".
[[nodiscard]] inline std::string time_of_day() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 16> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%H:%M:%S", &local)};
}

}  // namespace tilereel
