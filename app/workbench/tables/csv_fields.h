#pragma once
// Reads the tables that are built into the program: plain CSV without quotes.
#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

namespace tilereel {

// Removes the first line from `text` and returns it without its end.
inline std::string_view next_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

inline std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        fields.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return fields;
}

// False if the field is not an integer of 0 or more.
template <class T>
[[nodiscard]] bool parse_count(std::string_view field, T& number) {
    const char* const end = field.data() + field.size();
    const auto [stopped, error] = std::from_chars(field.data(), end, number);
    return error == std::errc() && stopped == end && number >= 0;
}

}  // namespace tilereel
