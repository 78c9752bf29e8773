#pragma once
// Splits a shared-memory request into passes by a generation's rules: one pass for each group of
// lanes (and, if word_by_word, each word) that is served together. A pass takes one or more
// wavefronts.
#include <array>
#include <functional>
#include <span>

#include "instrumentation/analysis/cost/warp_access.h"
#include "instrumentation/analysis/generations/generation.h"

namespace tilereel {

// A word that a lane accesses, and the wavefront of the pass (from 0) that serves it.
struct WantedWord {
    int lane = 0;
    std::uint32_t word = 0;
    std::uint32_t wavefront = 0;
};

struct SharedPass {
    std::span<const WantedWord> wanted;  // in lane order, not empty
    std::uint32_t wavefronts = 0;
};

// The number of neighbouring lanes that are served together: SharedRules::lanes, doubled if
// SharedRules::same_address_wide_loads_merge applies.
[[nodiscard]] int lanes_in_group(const WarpAccess& access, const SharedRules& rules);

// Visits the passes in the order of service; there is none without active lanes.
void for_each_pass(const WarpAccess& access, const SharedRules& rules,
                   const std::function<void(const SharedPass&)>& visit);

}  // namespace tilereel
