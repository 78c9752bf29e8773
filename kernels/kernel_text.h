#pragma once
// The kernels' files as text; kernels/writer writes the definitions.
#include <span>
#include <string_view>

namespace tilereel {

// The text of kernels/ladder/<stem>.cu; empty if there is no such file.
[[nodiscard]] std::string_view kernel_text(std::string_view stem);

struct LadderHeader {
    std::string_view name, text;  // name: "load4.h"
};
// The headers in kernels/ladder, which the kernels' files include.
[[nodiscard]] std::span<const LadderHeader> ladder_headers();

}  // namespace tilereel
