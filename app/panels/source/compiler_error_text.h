#pragma once
// Explains the compiler's most frequent errors to beginners.
#include <string>
#include <string_view>

namespace tilereel {

// "A ; is missing" for g++'s "expected ';' before 'int'". Empty for an error without a plainer
// description.
[[nodiscard]] std::string explain_compiler_error(std::string_view compiler_words);

}  // namespace tilereel
