#pragma once
// Converts the values of a saved view's fields to text and back.
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "app/workbench/compare_side.h"
#include "app/workbench/pattern_lab.h"

namespace tilereel {

// Percent-encodes all bytes but letters, digits and ._-+:/@. decoded() returns nullopt for text
// that is not a result of encoded().
[[nodiscard]] std::string encoded(std::string_view value);
[[nodiscard]] std::optional<std::string> decoded(std::string_view text);

// Sets `number`, if all of the text is a number from `least` to `most`.
template <class Number>
bool read_number(std::string_view text, Number least, Number most, Number& number) {
    Number value{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return false;
    if (!(value >= least && value <= most)) return false;  // not a NaN either
    number = value;
    return true;
}

template <class Number>
std::string decimal(Number value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end.ptr};
}

// Kernel, M, N, K, TILE, PAD, removed barrier and generation, "09_tiled:16:16:16:8:1:0:9.0";
// generation and file, "9.0:/home/me/other.npz"; or "9.0:", the same launch on that generation.
[[nodiscard]] std::string text_of(const CompareSide& side);
[[nodiscard]] std::optional<CompareSide> parse_side(const std::string& text);
// The fields in this order: block, memory, operation, width, RowLayout::row, pad, swizzle and
// swizzle_unit, warp, generation, expression.
[[nodiscard]] std::string text_of(const PatternQuestion& question);
[[nodiscard]] std::optional<PatternQuestion> parse_pattern(const std::string& text);

}  // namespace tilereel
