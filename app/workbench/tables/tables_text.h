#pragma once
#include <string_view>

namespace tilereel {

// Tables of assets/ that are built into the program.
[[nodiscard]] std::string_view as_compiled_text();  // as_compiled.csv
[[nodiscard]] std::string_view registers_text();    // registers.csv

}  // namespace tilereel
