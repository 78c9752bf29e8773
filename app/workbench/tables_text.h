#pragma once
#include <string_view>

namespace tilereel {

// The tables of assets/ that are in the program, which is then complete in one file.
[[nodiscard]] std::string_view as_compiled_text();  // as_compiled.csv
[[nodiscard]] std::string_view registers_text();    // registers.csv

}  // namespace tilereel
