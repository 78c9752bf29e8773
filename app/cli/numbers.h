#pragma once
// Numbers as people type and read them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "instrumentation/base/with_commas.h"

namespace tilereel {

[[nodiscard]] std::optional<std::int64_t> parse_whole(std::string_view text);  // all of it, decimal
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text);      // finite
// "4" (GiB), "512MiB", "1.5GiB", "800MB", "4000000B"; more than nothing, less than 2^62.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);
struct Extent2 {
    int width = 0, height = 0;
};
[[nodiscard]] std::optional<Extent2> parse_extent(std::string_view text);  // "1920x1080"

[[nodiscard]] std::string with_decimals(double value);  // 1,048.25: two at most

}  // namespace tilereel
