#pragma once
// How the banks serve a shared request by a generation's rules: in passes, one for each group of
// lanes (and word of a wide access) served together, each of one or more wavefronts.
#include <array>
#include <functional>
#include <span>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/analysis/warp_access.h"

namespace tilereel {

// One word that one lane wants, and the wavefront of the pass, from 0, that gives it.
struct WantedWord {
    int lane = 0;
    std::uint32_t word = 0;
    std::uint32_t wavefront = 0;
};

struct SharedPass {
    std::span<const WantedWord> wanted;  // in lane order, not empty
    std::uint32_t wavefronts = 0;
};

// How many neighbouring lanes are served together: twice as many as the width allows where lanes
// one or two apart agree and the rules merge them.
[[nodiscard]] int lanes_in_group(const WarpAccess& access, const SharedRules& rules);

// Passes in the order in which they are served; none for an access without active lanes.
void for_each_pass(const WarpAccess& access, const SharedRules& rules,
                   const std::function<void(const SharedPass&)>& visit);

}  // namespace tilereel
