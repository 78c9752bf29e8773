#pragma once
// The requests of a block that access one element of an array.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel {

struct ElementUse {  // by one request
    std::uint32_t step = kNoStep;
    std::uint32_t first_lane = 0, lanes = 0;  // the lowest lane that accesses it; number of lanes
    bool reads = false, writes = false;       // an atomic does both
};
// The block's requests to bytes [begin, begin + bytes) of an array, in time order. `begin`: as
// Records::base. Walks all requests of the block: do not call it in every frame.
[[nodiscard]] std::vector<ElementUse> uses_of_element(const Replay& replay, ArrayId array,
                                                      std::uint64_t begin, std::uint32_t bytes);
// The first use that begins after `now`, else the first use; nullopt if there is none.
[[nodiscard]] std::optional<ElementUse> next_use(const Replay& replay,
                                                 const std::vector<ElementUse>& uses, Tick now);
// "in this block read by 8 requests, written by 1 request"
[[nodiscard]] std::string uses_text(const std::vector<ElementUse>& uses);
// "lane 3 of warp 1 reads it, line 21, tick 57"
[[nodiscard]] std::string use_text(const Replay& replay, const ElementUse& use);

}  // namespace tilereel
