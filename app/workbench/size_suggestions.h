#pragma once
// What to do where a kernel cannot run the sizes asked for: the rule it breaks, and a button for
// each suggestion.
#include <string>
#include <vector>

#include "kernels/catalog.h"

namespace tilereel {

struct SizeSuggestion {
    std::string label;  // "Round K up to 64", "Use 10 tiled any size"
    std::string kernel;
    KernelParameters parameters;
};

struct SizeSuggestions {
    std::string problem;                  // the launch rule's sentence
    std::vector<SizeSuggestion> choices;  // the most obvious first; not empty
};

// The sizes changed as little as the kernel allows; then, where one runs them as they are, the
// nearest kernel of the ladder that takes any size.
[[nodiscard]] std::vector<SizeSuggestion> suggest_sizes(const KernelInfo& kernel,
                                                        const KernelParameters& wanted);

}  // namespace tilereel
