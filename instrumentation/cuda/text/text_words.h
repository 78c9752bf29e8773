#pragma once
// Words, white space and line numbers of C++ source text. Each of them is read once, from front to
// back, so that the time grows with the length of the text only.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace tilereel::program {

// Names may have dollar signs and, in UTF-8, letters of any language.
inline bool is_word(char c) {
    const auto code = static_cast<unsigned char>(c);
    return std::isalnum(code) != 0 || c == '_' || c == '$' || code >= 0x80;
}
inline bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// The word that begins at `at`; empty if none begins there.
inline std::string_view word_at(std::string_view text, std::size_t at) {
    if (at >= text.size() || !is_word(text[at]) || (at > 0 && is_word(text[at - 1]))) return {};
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    return text.substr(at, end - at);
}

inline std::size_t skip_space(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text[at])) ++at;
    return at;
}
// Skips the blanks of one line.
inline std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    return at;
}

// Calls visit(word, at) for each word of the text.
template <class Visit>
void for_each_word(std::string_view text, Visit&& visit) {
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view word = word_at(text, at);
        if (!word.empty()) visit(word, at);
        at += std::max(word.size(), std::size_t{1});
    }
}

// Numbers of lines, from 1. It is quick where positions are asked for in about their order.
class LineCounter {
  public:
    explicit LineCounter(std::string_view text) : text_(text) {}
    unsigned line_of(std::size_t at) {
        const auto lines = [&](std::size_t from, std::size_t to) {
            return static_cast<unsigned>(std::ranges::count(text_.substr(from, to - from), '\n'));
        };
        line_ = at < at_ ? line_ - lines(at, at_) : line_ + lines(at_, at);
        at_ = at;
        return line_;
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    unsigned line_ = 1;
};

}  // namespace tilereel::program
