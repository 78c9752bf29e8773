#pragma once
#include <string_view>

namespace tilereel {

// assets/as_compiled.csv, in the program.
[[nodiscard]] std::string_view as_compiled_text();

}  // namespace tilereel
