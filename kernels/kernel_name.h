#pragma once
// What is said of a name that no kernel of the ladder has.
#include <string>
#include <string_view>

#include "instrumentation/base/result.h"
#include "kernels/catalog.h"

namespace tilereel {

// The kernel that a misspelt name probably means, with or without its number; nullptr: none.
[[nodiscard]] const KernelInfo* kernel_meant(std::string_view name);
// "there is no kernel '09_tild' (did you mean 09_tiled?)"
[[nodiscard]] std::string no_kernel_text(const std::string& name);
// The same, and where the kernels are listed.
[[nodiscard]] Error no_such_kernel(const std::string& name);

}  // namespace tilereel
