#include "app/cli/typed_numbers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace tilereel {

std::optional<std::int64_t> parse_whole(std::string_view text) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    return value;
}

std::optional<double> parse_decimal(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, double>, 9> kUnits{{{"KiB", 0x1p10},
                                                                         {"MiB", 0x1p20},
                                                                         {"GiB", 0x1p30},
                                                                         {"TiB", 0x1p40},
                                                                         {"KB", 1e3},
                                                                         {"MB", 1e6},
                                                                         {"GB", 1e9},
                                                                         {"TB", 1e12},
                                                                         {"B", 1}}};
    double unit = 0x1p30;
    for (const auto& [name, bytes] : kUnits) {
        if (!text.ends_with(name)) continue;
        text.remove_suffix(name.size());
        unit = bytes;
        break;
    }
    while (text.ends_with(' ')) text.remove_suffix(1);
    const auto value = parse_decimal(text);
    if (!value || *value * unit < 1 || *value * unit >= 0x1p62) return std::nullopt;
    return static_cast<std::uint64_t>(*value * unit);
}

std::vector<std::string> parts_between(std::string_view text, char separator) {
    std::vector<std::string> parts(1);
    for (const char letter : text) {
        if (letter == separator)
            parts.emplace_back();
        else
            parts.back() += letter;
    }
    return parts;
}

std::optional<std::vector<int>> parse_list(std::string_view text, int least, int most) {
    std::vector<int> values;
    for (const std::string& part : parts_between(text, ',')) {
        const auto value = parse_whole(part);
        if (!value || *value < least || *value > most) return std::nullopt;
        values.push_back(static_cast<int>(*value));
    }
    return values;
}

std::optional<Extent2> parse_extent(std::string_view text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) return std::nullopt;
    const auto width = parse_whole(text.substr(0, cross));
    const auto height = parse_whole(text.substr(cross + 1));
    constexpr std::int64_t kMost = 1 << 16;
    if (!width || !height || *width < 1 || *height < 1 || *width > kMost || *height > kMost)
        return std::nullopt;
    return Extent2{static_cast<int>(*width), static_cast<int>(*height)};
}

std::string with_decimals(double value) {
    const double whole = std::floor(value);
    std::array<char, 16> fraction{};
    std::snprintf(fraction.data(), fraction.size(), "%.2f", value - whole);
    if (fraction[0] == '1') return with_commas(static_cast<std::uint64_t>(whole) + 1);
    std::string text = with_commas(static_cast<std::uint64_t>(whole)) + (fraction.data() + 1);
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return text;
}

}  // namespace tilereel
