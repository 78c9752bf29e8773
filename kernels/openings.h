#pragma once
// The size, TILE and PAD at which the window opens each kernel: small enough to read its values on
// a laptop, and such that the events of the header's Watch paragraph happen.
#include <span>
#include <string_view>

#include "kernels/catalog.h"

namespace tilereel {

struct KernelOpening {
    std::string_view kernel;  // its id
    KernelParameters parameters;
    std::string_view shows;  // the reason for these parameters
};

// One for each kernel of the ladder, in its order.
[[nodiscard]] std::span<const KernelOpening> openings();
// A kernel without a row opens at the smallest size that it takes.
[[nodiscard]] KernelParameters opening_of(const KernelInfo& kernel);

}  // namespace tilereel
