#pragma once
#include <cstdint>
#include <string>

namespace tilereel {

// 1048576 -> "1,048,576"
[[nodiscard]] inline std::string with_commas(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

}  // namespace tilereel
