#pragma once
// The kernels' files as text; CMake writes the definition.
#include <string_view>

namespace tilereel {

// The text of kernels/ladder/<stem>.cu; empty if there is no such file.
[[nodiscard]] std::string_view kernel_text(std::string_view stem);

}  // namespace tilereel
