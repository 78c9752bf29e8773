#pragma once
// The prompt that goes to a tick, a line of the source, a block, a warp or a lane.
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "app/replay/replay.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// Where the prompt leads. Without a tick the replay stays where it is.
struct GoToPlace {
    std::optional<Tick> tick{};
    std::optional<std::pair<std::uint32_t, std::uint32_t>> block{};  // as WatchBlock
    std::optional<std::uint32_t> warp{}, lane{};                     // to choose
};

// "120", "tick 120": that tick, as the timeline counts them, from 1 on. "line 23": the next request
// of that line after `now`, around. "block 2,1" or "block 2,1,0": blockIdx.x, .y, .z. "warp 3": it,
// at its next request. "lane 5": that lane of `warp`, at its next request. Words may be shortened
// ("l 23", "b 2,1"). kWrongCall with a sentence that says what there is.
[[nodiscard]] Result<GoToPlace> place_asked_for(const Replay& replay, std::string_view text,
                                                Tick now, std::uint32_t warp);

}  // namespace tilereel
