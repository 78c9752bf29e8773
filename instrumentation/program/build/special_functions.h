#pragma once
#include <string_view>

namespace tilereel::program {

// Whether the text may use special functions of <cmath>, such as std::beta(): it calls a function
// with such a name, names one in a namespace, or asks for all of them. `masked`: masked_text().
[[nodiscard]] bool names_special_function(std::string_view masked);

}  // namespace tilereel::program
