#include "app/cli/output.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

namespace tilereel {
namespace {

std::string escaped(unsigned character) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "\\u%04x", character);
    return text.data();
}

// The length in bytes of the first UTF-8 character. 0 if the text does not begin with one.
// Source: RFC 3629, section 4. Overlong forms of three and four bytes, surrogates and code points
// above U+10FFFF are not detected.
std::size_t length_of_character(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) >> 6) == 2; };
    if (length > text.size() ||
        (length > 1 && !std::ranges::all_of(text.substr(1, length - 1), continues)))
        return 0;
    return length;
}

// The control character (C0, DEL or C1) with which the text begins. nullopt if there is none.
std::optional<unsigned> control_of(std::string_view text, std::size_t length) {
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 1 && (first < 0x20 || first == 0x7f)) return first;
    if (length != 2 || first != 0xc2) return std::nullopt;
    const auto second = static_cast<unsigned char>(text[1]);  // 0x80 to 0xbf: U+0080 to U+00BF
    return second < 0xa0 ? std::optional<unsigned>(second) : std::nullopt;
}

// A character that changes the direction of the text behind it (Unicode Annex 9, section 2), or
// that ends a line: with U+202E, "cu.exe" reads as "exe.uc". nullopt if the text begins with
// another one.
std::optional<unsigned> direction_of(std::string_view text, std::size_t length) {
    if (text.starts_with("\xd8\x9c")) return 0x61c;
    if (length != 3 || !(text.starts_with("\xe2\x80") || text.starts_with("\xe2\x81")))
        return std::nullopt;
    const unsigned code = 0x2000 + (static_cast<unsigned char>(text[1]) - 0x80u) * 64 +
                          (static_cast<unsigned char>(text[2]) - 0x80u);
    const bool changes = code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                         (code >= 0x2066 && code <= 0x2069);
    return changes ? std::optional(code) : std::nullopt;
}

bool is_kept_whitespace(std::string_view text, bool one_line) {
    return text[0] == '\t' || (!one_line && (text[0] == '\n' || text.starts_with("\r\n")));
}

}  // namespace

std::string printable(std::string_view text, bool one_line) {
    std::string all;
    all.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = length_of_character(text);
        const std::optional<unsigned> control = control_of(text, length);
        const std::optional<unsigned> direction = direction_of(text, length);
        if (length == 0)
            all += "\xef\xbf\xbd";
        else if (control && !is_kept_whitespace(text, one_line))
            all += escaped(*control);
        else if (direction)
            all += escaped(*direction);
        else
            all += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return all;
}

Status print_out(std::string_view any_text) {
    const std::string shown = printable(any_text);
    std::string_view text = shown;
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EPIPE)
            return failed("the output was closed before its end; read all of it");
        if (written <= 0)
            return failed(std::string("cannot print: ") + std::strerror(errno) +
                          "; send the output somewhere else");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return Done{};
}

}  // namespace tilereel
