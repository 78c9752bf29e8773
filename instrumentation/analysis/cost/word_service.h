#pragma once
// A shared-memory request word by word: the lanes that are served together, and the word and lane
// that each bank serves in each wavefront. This explains the cost of 8- and 16-byte accesses.
#include "instrumentation/analysis/cost/request_cost.h"

namespace tilereel {

struct ServedWord {
    std::uint8_t lane = 0;
    std::uint8_t number = 0;  // index among the lane's words, from 0
    std::uint8_t bank = 0;
    std::uint8_t wavefront = 0;  // of the request, from 0
    std::uint32_t word = 0;      // byte offset / 4
};

// Lanes that are served together. Groups are served one after another.
struct LaneGroup {
    std::uint32_t lanes = 0;  // mask of the active lanes
    std::uint8_t first_wavefront = 0, wavefronts = 0;
    std::uint8_t words = 0;  // distinct
    bool operator==(const LaneGroup&) const = default;
};

struct WordService {
    std::vector<ServedWord> words;             // group after group, lanes ascending
    std::vector<LaneGroup> groups;             // those with active lanes
    std::uint32_t lanes_together = kWarpSize;  // 32, a half-warp of 16 or a quarter-warp of 8
    // Twice as many lanes as usual for the width (SharedRules::same_address_wide_loads_merge).
    bool merged = false;
};
[[nodiscard]] WordService word_service(const WarpAccess& access,
                                       const Generation& generation = default_generation());

// "half-warp"; for 32 lanes "warp".
[[nodiscard]] const char* name_of_lanes(std::uint32_t lanes_together);
// The same for the lanes of a request that are served together: of a matrix load or store they are
// the 8 that name the rows of a "matrix".
[[nodiscard]] const char* name_of_group(Operation operation, std::uint32_t lanes_together);

}  // namespace tilereel
