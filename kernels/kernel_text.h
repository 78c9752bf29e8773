#pragma once
// The kernel files' own text, put into the program at build time.
#include <string_view>
#include <vector>

#include "kernels/catalog.h"

namespace tilereel {

// Of kernels/<stem>.cuh; empty if the ladder has no such kernel.
[[nodiscard]] std::string_view kernel_text(std::string_view stem);
// Of kernels/plain/<stem>.cu, the same kernel in plain CUDA; empty if there is none.
[[nodiscard]] std::string_view plain_kernel_text(std::string_view stem);

// The barriers and waits that a kernel's text calls, from the top.
[[nodiscard]] std::vector<KernelBarrier> barriers_in(std::string_view text);

}  // namespace tilereel
