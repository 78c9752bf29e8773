#include "app/subject/text_fields.h"

#include <algorithm>

namespace tilereel {
namespace {

bool stands_for_itself(char letter) {
    const bool alphanumeric = (letter >= 'a' && letter <= 'z') ||
                              (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
    return alphanumeric || std::string_view("._-+:/@").find(letter) != std::string_view::npos;
}

}  // namespace

std::string encoded(std::string_view value) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string text;
    for (const char letter : value) {
        const auto byte = static_cast<unsigned char>(letter);
        if (stands_for_itself(letter))
            text += letter;
        else
            text += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return text;
}

std::optional<std::string> decoded(std::string_view text) {
    std::string value;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            value += text[i];
            continue;
        }
        unsigned byte = 0;
        const char* const end = text.data() + std::min(i + 3, text.size());
        const auto read = std::from_chars(text.data() + i + 1, end, byte, 16);
        if (i + 3 > text.size() || read.ptr != end || read.ec != std::errc{}) return std::nullopt;
        value += static_cast<char>(byte);
        i += 2;
    }
    return value;
}

}  // namespace tilereel
