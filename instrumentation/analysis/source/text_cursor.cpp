#include "instrumentation/analysis/source/text_cursor.h"

#include <cctype>
#include <charconv>

namespace tilereel {

void TextCursor::skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
}

bool TextCursor::take(std::string_view sign) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
}

bool TextCursor::at_end() {
    skip_spaces();
    return at_ == text_.size();
}

TextCursor::Number TextCursor::number() {
    skip_spaces();
    const std::size_t first = at_ < text_.size() && text_[at_] == '_' ? at_ + 1 : at_;
    Number number;
    const auto [stop, error] =
        std::from_chars(text_.data() + first, text_.data() + text_.size(), number.value);
    number.error = error;
    if (error == std::errc()) at_ = static_cast<std::size_t>(stop - text_.data());
    return number;
}

std::nullopt_t TextCursor::complain(const std::string& wanted) {
    skip_spaces();
    const std::string found =
        at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "' stands there" : "it ends";
    return fail(at_, wanted + " is missing, " + found);
}

std::nullopt_t TextCursor::fail(std::size_t at, const std::string& words) {
    if (error_.empty()) {
        at_ = at;
        error_ = "letter " + std::to_string(at + 1) + " of the expression: " + words;
    }
    return std::nullopt;
}

}  // namespace tilereel
