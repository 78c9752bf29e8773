#pragma once
// The words and signs of C++ text, for those who look for a few of its forms.
#include <cstdint>
#include <string_view>

namespace tilereel {

struct CodeToken {
    std::string_view text;  // a word, "&&", "||" or one character; empty at the end
    std::uint32_t line = 1;
};

// Without comments, literals and lines of the preprocessor.
class CodeTokens {
  public:
    explicit CodeTokens(std::string_view text) : text_(text) {}
    CodeToken next();
    [[nodiscard]] static bool is_word(char c);

  private:
    [[nodiscard]] bool starts(std::string_view with) const {
        return text_.substr(at_).starts_with(with);
    }
    void step();
    void skip_to(std::string_view end);
    void skip_preprocessor();
    void skip_literal();
    void skip_what_is_no_code();

    std::string_view text_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 1;
    bool begins_line_ = true;
};

}  // namespace tilereel
