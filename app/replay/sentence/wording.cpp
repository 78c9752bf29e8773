#include "app/replay/sentence/wording.h"

#include <array>
#include <numeric>
#include <vector>

namespace tilereel {
namespace {

constexpr std::array<std::string_view, 8> kSmallNumbers = {"",     "one",  "two", "three",
                                                           "four", "five", "six", "seven"};

struct Run {
    std::uint16_t first, last;
};

std::vector<Run> runs_of(std::span<const std::uint16_t> ascending) {
    std::vector<Run> runs;
    for (const std::uint16_t number : ascending) {
        if (!runs.empty() && runs.back().last + 1 == number)
            runs.back().last = number;
        else
            runs.push_back({number, number});
    }
    return runs;
}

std::string run_words(const Run& run) {
    if (run.first == run.last) return std::to_string(run.first);
    return joined({std::to_string(run.first), run.first + 1 == run.last ? " and " : " to ",
                   std::to_string(run.last)});
}

std::string listed(std::span<const std::uint16_t> ascending, std::string_view one,
                   std::string_view many) {
    const std::vector<Run> runs = runs_of(ascending);
    if (ascending.size() == 1) return joined({one, " ", std::to_string(ascending.front())});
    const bool pair = runs.size() == 2 && ascending.size() == 2;
    if (runs.size() != 1 && !pair) return counted(ascending.size(), one, many);
    const std::string first = run_words(runs[0]);
    return pair ? joined({many, " ", first, " and ", run_words(runs[1])})
                : joined({many, " ", first});
}

}  // namespace

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return joined({with_commas(count), " ", count == 1 ? one : many});
}

std::string range_of(std::string_view one, std::uint32_t begin, std::uint32_t end) {
    if (end - begin == 1) return joined({one, " ", with_commas(begin)});
    return joined(
        {one, "s ", with_commas(begin), end - begin == 2 ? " and " : " to ", with_commas(end - 1)});
}

std::string part_of_range(std::string_view one, std::uint32_t begin, std::uint32_t end,
                          std::uint32_t count) {
    if (count == end - begin) return range_of(one, begin, end);
    if (count == 2) return joined({one, "s ", with_commas(begin), " and ", with_commas(end - 1)});
    return joined({with_commas(count), " of ", range_of(one, begin, end)});
}

std::string one_part_of(std::uint32_t denominator) {
    switch (denominator) {
        case 2:
            return "half";
        case 3:
            return "third";
        case 4:
            return "quarter";
        case 8:
            return "eighth";
        case 16:
            return "sixteenth";
        default:
            return {};
    }
}

std::string fraction_text(std::uint64_t part, std::uint64_t whole) {
    const std::uint64_t divisor = std::gcd(part, whole);
    if (divisor == 0 || part == 0 || part >= whole) return {};
    const std::uint64_t numerator = part / divisor, denominator = whole / divisor;
    if (denominator > 8) return {};
    const std::string unit = one_part_of(static_cast<std::uint32_t>(denominator));
    if (unit.empty() || denominator == 2) return unit;
    if (numerator == 1) return joined({unit == "eighth" ? "an " : "a ", unit});
    return joined({kSmallNumbers[numerator], " ", unit, "s"});
}

std::string warps_listed(std::span<const std::uint16_t> ascending) {
    return listed(ascending, "warp", "warps");
}

std::string lanes_listed(std::span<const std::uint16_t> ascending) {
    return listed(ascending, "lane", "lanes");
}

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

}  // namespace tilereel
