#pragma once
// A shared request word by word: which lanes are served together, and which word of which lane each
// bank gives in each wavefront. For accesses of 8 and 16 bytes this is what explains their cost.
#include "instrumentation/analysis/request_cost.h"

namespace tilereel {

struct ServedWord {
    std::uint8_t lane = 0;
    std::uint8_t number = 0;  // of the lane's words, from 0
    std::uint8_t bank = 0;
    std::uint8_t wavefront = 0;  // of the request, from 0
    std::uint32_t word = 0;      // byte offset / 4
};

// Lanes served together: the wavefronts of a request go from group to group.
struct LaneGroup {
    std::uint32_t lanes = 0;  // active ones, one bit each
    std::uint8_t first_wavefront = 0, wavefronts = 0;
    std::uint8_t words = 0;  // distinct
    bool operator==(const LaneGroup&) const = default;
};

struct WordService {
    std::vector<ServedWord> words;             // group after group, lanes ascending
    std::vector<LaneGroup> groups;             // without active lanes: none
    std::uint32_t lanes_together = kWarpSize;  // 32, a half-warp of 16 or a quarter-warp of 8
    // Twice as many lanes as the width allows, since neighbours share their address.
    bool merged = false;
};
[[nodiscard]] WordService word_service(const WarpAccess& access,
                                       const Generation& generation = default_generation());

// "half-warp"; of 32 lanes "warp".
[[nodiscard]] const char* name_of_lanes(std::uint32_t lanes_together);

}  // namespace tilereel
