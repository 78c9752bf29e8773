#pragma once
// What commands print goes through here: a full disk or a closed pipe is noticed.
#include <string>
#include <string_view>

#include "instrumentation/base/result.h"

namespace tilereel {

// With control characters, which a terminal obeys, as JSON's escapes: "\\u001b". So JSON stays the
// same JSON. A tab stays, and so do line ends unless `one_line`. What is no UTF-8 becomes U+FFFD.
[[nodiscard]] std::string printable(std::string_view text, bool one_line = false);
// To stdout, at once, as printable().
Status print_out(std::string_view text);

}  // namespace tilereel
