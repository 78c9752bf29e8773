#include "app/workbench/launch/size_suggestions.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "app/workbench/launch/fit_parameters.h"

namespace tilereel {
namespace {

// Tries sizes that have no factor in common with any TILE, nor with one another.
bool takes_any_size(const KernelInfo& kernel) {
    constexpr int kM = 7, kN = 61, kK = 13;
    for (const int tile : kernel.tiles)
        for (const auto& [m, n, k] : {std::array{kM, kN, kK}, std::array{kN, kK, kM * kN}})
            if (!validate(kernel,
                          {.m = m, .n = n, .k = k, .tile = tile, .pad = kernel.pads.front()}))
                return false;
    return true;
}

bool waits_at_barriers(const KernelInfo& kernel) {
    return std::ranges::any_of(kernel.barriers, [](const KernelBarrier& barrier) {
        return barrier.function.what == WaitFor::kBlock;
    });
}

// The nearest kernel of the ladder that takes any size, runs on the same device (CPU or GPU) and
// has block barriers exactly if `kernel` has them; the later of two equally near ones.
const KernelInfo* nearest_for_any_size(const KernelInfo& kernel) {
    const auto index = [](const KernelInfo& of) {
        const auto found = std::ranges::find(catalog(), of.id, &KernelInfo::id);
        return static_cast<int>(found - catalog().begin());
    };
    const KernelInfo* best = nullptr;
    for (const KernelInfo& other : catalog()) {
        if (other.id == kernel.id || other.on_cpu != kernel.on_cpu ||
            waits_at_barriers(other) != waits_at_barriers(kernel) || !takes_any_size(other))
            continue;
        const auto distance = [&](const KernelInfo& to) {
            return std::abs(index(to) - index(kernel));
        };
        if (best == nullptr || distance(other) <= distance(*best)) best = &other;
    }
    return best;
}

// A kernel's title without underscores, for a button: "10 tiled any size".
std::string spoken(const KernelInfo& kernel) {
    std::string title(kernel.title);
    std::ranges::replace(title, '_', ' ');
    return title;
}

}  // namespace

std::vector<SizeSuggestion> suggest_sizes(const KernelInfo& kernel,
                                          const KernelParameters& wanted) {
    std::vector<SizeSuggestion> choices;
    if (const Result<FittedParameters> fitted = fit_parameters(kernel, wanted);
        fitted && fitted->parameters != wanted)
        choices.push_back({fitted->action, std::string(kernel.id), fitted->parameters});
    if (const KernelInfo* other = nearest_for_any_size(kernel)) {
        // TILE and PAD may change with the kernel, but not the sizes.
        const Result<FittedParameters> as_wanted = fit_parameters(*other, wanted);
        if (as_wanted && as_wanted->parameters.m == wanted.m &&
            as_wanted->parameters.n == wanted.n && as_wanted->parameters.k == wanted.k)
            choices.push_back(
                {"Use " + spoken(*other), std::string(other->id), as_wanted->parameters});
    }
    return choices;
}

}  // namespace tilereel
