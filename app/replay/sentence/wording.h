#pragma once
// English for numbers, fractions and ranges.
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "instrumentation/base/format/with_commas.h"

namespace tilereel {

[[nodiscard]] std::string joined(std::initializer_list<std::string_view> parts);
// "1 lane", "32 lanes".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);
// "row 4", "rows 4 and 5", "rows 4 to 7" for the half-open [begin, end).
[[nodiscard]] std::string range_of(std::string_view one, std::uint32_t begin, std::uint32_t end);
// "rows 2 and 6", "4 of rows 0 to 12"; range_of() if none of them is left out. `count`: how many of
// them there are, the first and the last among them.
[[nodiscard]] std::string part_of_range(std::string_view one, std::uint32_t begin,
                                        std::uint32_t end, std::uint32_t count);
// "half", "three quarters", "an eighth"; empty if English has no simple word for part / whole.
[[nodiscard]] std::string fraction_text(std::uint64_t part, std::uint64_t whole);
// "half", "quarter": one of `denominator` equal parts, without the article; empty if there is no
// simple word.
[[nodiscard]] std::string one_part_of(std::uint32_t denominator);
// "warp 3", "warps 0 and 1", "warps 0 to 2"; "9 warps" if the list would be long. The same for
// lanes.
[[nodiscard]] std::string warps_listed(std::span<const std::uint16_t> ascending);
[[nodiscard]] std::string lanes_listed(std::span<const std::uint16_t> ascending);
[[nodiscard]] std::string capitalised(std::string text);

}  // namespace tilereel
