#pragma once
// What the window offers if a kernel cannot run the requested sizes: the violated rule, and
// launches that can run, each with the text of its button.
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
    std::string problem;                  // the error of validate()
    std::vector<SizeSuggestion> choices;  // best first; not empty
};

// The smallest change of sizes that the kernel accepts; then, if one can run the requested sizes,
// the nearest kernel of the ladder that takes any size.
[[nodiscard]] std::vector<SizeSuggestion> suggest_sizes(const KernelInfo& kernel,
                                                        const KernelParameters& wanted);

}  // namespace tilereel
