#pragma once
#include <string_view>

namespace tilereel {

// Tables that are built into the program.
[[nodiscard]] std::string_view as_compiled_text();  // as_compiled.csv
[[nodiscard]] std::string_view registers_text();    // registers.csv
[[nodiscard]] std::string_view estimate_text();     // estimate.csv

}  // namespace tilereel
