#pragma once
// What is measured on a GPU: kernels and the sizes they are run at.
#include <string_view>
#include <vector>

#include "kernels/catalog.h"

namespace tilereel::hardware {

struct Case {
    std::string_view kernel;
    KernelParameters parameters;
};

// Every kernel at every TILE and PAD at the sizes that the window and the commands begin with, and
// each at more: small, rectangular (ragged, where the kernel takes that), and 256 cubed.
[[nodiscard]] std::vector<Case> counted_cases();
// Every kernel once: small, for tools that make a launch a thousand times slower.
[[nodiscard]] std::vector<Case> small_cases();
// For the speed of recording.
[[nodiscard]] std::vector<Case> large_cases();

}  // namespace tilereel::hardware
