#pragma once
// A place in a text that someone types, for parsers that read it from left to right and name the
// letter at which it is wrong.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "instrumentation/base/result.h"

namespace tilereel {

class TextCursor {
  public:
    explicit TextCursor(std::string_view text) : text_(text) {}

    [[nodiscard]] std::size_t at() const { return at_; }
    void go_to(std::size_t at) { at_ = at; }
    void skip_spaces();
    // After spaces. Takes the sign if it comes next.
    bool take(std::string_view sign);
    [[nodiscard]] bool at_end();
    // An integer, after spaces; "_8", a number that CuTe knows when it is compiled, is 8. An error
    // is invalid_argument or result_out_of_range; then nothing is taken.
    struct Number {
        std::int64_t value = 0;
        std::errc error{};
    };
    [[nodiscard]] Number number();

    // Notes what is wrong: the first time counts, and the cursor stays there. "',' is missing, '<'
    // stands there".
    std::nullopt_t complain(const std::string& wanted);
    std::nullopt_t fail(std::size_t at, const std::string& words);
    // kWrongCall: "letter 3 of the expression: ..."
    [[nodiscard]] Error error() const { return wrong_call(error_); }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    std::string error_;
};

}  // namespace tilereel
