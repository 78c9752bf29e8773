#pragma once
// Functions for text: the boundaries of characters in UTF-8 (as byte offsets), trimming, splitting,
// and reading whole numbers.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace tilereel {

[[nodiscard]] inline bool continues_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}
// The first byte of the character before `end`; 0 if there is none.
[[nodiscard]] inline std::size_t character_before(std::string_view text, std::size_t end) {
    while (end > 0 && continues_character(text[--end])) {
    }
    return end;
}
// The first byte after the character at `at`; the text's end if there is none.
[[nodiscard]] inline std::size_t character_after(std::string_view text, std::size_t at) {
    if (at >= text.size()) return text.size();
    for (++at; at < text.size() && continues_character(text[at]);) ++at;
    return at;
}
// The text without spaces and tabs at its ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}
// The parts between the separators. An empty part at the end is left out.
[[nodiscard]] inline std::vector<std::string_view> split(std::string_view text,
                                                         std::string_view separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + separator.size()));
    }
    return parts;
}
// The value of the text; nullopt if it is anything but a whole number that a Number can hold.
template <class Number>
[[nodiscard]] std::optional<Number> whole_number(std::string_view text) {
    Number value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, value);
    if (fault != std::errc() || rest != end) return std::nullopt;
    return value;
}

}  // namespace tilereel
