#pragma once
// Which brackets of a text belong together, found in one pass. Needs four bytes for each character.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel::program {

// ( [ { open and ) ] } close. As in a compiler's recovery from errors, any closing bracket closes
// the last open one.
class Brackets {
  public:
    // `masked`: masked_text() of a file (launch_text.h).
    explicit Brackets(std::string_view masked);
    // The position after the bracket that closes the one at `at`; the end of the text if none does.
    [[nodiscard]] std::size_t behind(std::size_t at) const;
    // Where the bracket opens that closes at `at`; npos if none does.
    [[nodiscard]] std::size_t opening(std::size_t at) const;

  private:
    std::vector<std::uint32_t> partners_;  // of each bracket; kNone: it has none
};

// For each position of the text, and its end, the next { or ; that is not in parentheses: where a
// function's body begins or its declaration ends.
[[nodiscard]] std::vector<std::uint32_t> next_bodies(std::string_view masked,
                                                     const Brackets& brackets);

// Where a text is nested more deeply than g++ can compile in a reasonable time.
struct DeepNesting {
    // kHeads: `if (a) for (...) while (b) ...` without braces.
    enum class Of : std::uint8_t { kBrackets, kElseIfs, kHeads, kConditionals };
    std::size_t at = 0;
    Of of = Of::kBrackets;
};
inline constexpr std::size_t kMostBrackets = 1000, kMostElseIfs = 2000, kMostHeads = 250,
                             kMostConditionals = 1000;
[[nodiscard]] std::optional<DeepNesting> find_deep_nesting(std::string_view masked);
// "more than 1,000 brackets are open: ..."
[[nodiscard]] std::string deep_nesting_sentence(const DeepNesting& nesting);

inline bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
inline bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

}  // namespace tilereel::program
