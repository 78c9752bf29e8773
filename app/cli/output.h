#pragma once
// Output of commands. Errors such as a full disk or a closed pipe are reported.
#include <string>
#include <string_view>

#include "instrumentation/base/result.h"

namespace tilereel {

// Replaces control characters, which a terminal would obey, by JSON escapes ("\\u001b"). JSON text
// keeps its meaning. Tabs are kept, and line ends too unless `one_line`. Invalid UTF-8 becomes
// U+FFFD.
[[nodiscard]] std::string printable(std::string_view text, bool one_line = false);
// Writes printable(text) to stdout, unbuffered.
Status print_out(std::string_view text);

}  // namespace tilereel
