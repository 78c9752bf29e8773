#pragma once
// Parses numbers that users type, and formats numbers for them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/format/with_commas.h"

namespace tilereel {

[[nodiscard]] std::optional<std::int64_t> parse_whole(std::string_view text);  // whole text
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text);      // must be finite
// "4" (GiB), "512MiB", "1.5GiB", "800MB", "4000000B". More than 0, less than 2^62.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);
struct Extent2 {
    int width = 0, height = 0;
};
[[nodiscard]] std::optional<Extent2> parse_extent(std::string_view text);  // "1920x1080"

// The parts of "a,b,c"; of "" one that is empty.
[[nodiscard]] std::vector<std::string> parts_between(std::string_view text, char separator);
// "16,32": whole numbers, each from `least` to `most`.
[[nodiscard]] std::optional<std::vector<int>> parse_list(std::string_view text, int least,
                                                         int most);

[[nodiscard]] std::string with_decimals(double value);  // 1,048.25: at most two decimals

}  // namespace tilereel
