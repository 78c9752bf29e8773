#pragma once
// The kernels' files as text; CMake writes the definition.
#include <string_view>

namespace tilereel {

// Of kernels/plain/<stem>.cu; empty if there is none.
[[nodiscard]] std::string_view kernel_text(std::string_view stem);

}  // namespace tilereel
