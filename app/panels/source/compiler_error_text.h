#pragma once
// What a beginner needs to know of the compiler's commonest errors.
#include <string>
#include <string_view>

namespace tilereel {

inline constexpr std::string_view kMissingSemicolon = "A ; is missing";

// "A ; is missing" for g++'s "expected ';' before 'int'"; empty for errors that it knows no plainer
// words for.
[[nodiscard]] std::string explain_compiler_error(std::string_view compiler_words);

}  // namespace tilereel
