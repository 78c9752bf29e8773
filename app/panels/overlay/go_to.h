#pragma once
// The prompt that goes to a tick, a line of the source, a block, a warp or a lane.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/replay/replay.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// The destination of the prompt. Without `tick`, the replay's position does not change.
struct GoToPlace {
    std::optional<Tick> tick{};
    std::optional<std::pair<std::uint32_t, std::uint32_t>> block{};  // block x, y as in WatchBlock
    std::optional<std::uint32_t> warp{}, lane{};                     // to watch
};

// The integers of "2,1,0". nullopt if the text is anything else.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> numbers_in(std::string_view text);

// Parses the text of the prompt:
// "120", "tick 120": that tick, counted from 1 as on the timeline
// "line 23": the next request of that line after `now`, or its first request if none follows
// "block 2,1", "block 2,1,0": blockIdx.x, .y, .z
// "warp 3": that warp, at its next request
// "lane 5": that lane of `warp`, at its next request
// The words may be shortened ("l 23", "b 2,1"). The error is kWrongCall with a sentence that lists
// what exists.
[[nodiscard]] Result<GoToPlace> place_asked_for(const Replay& replay, std::string_view text,
                                                Tick now, std::uint32_t warp);

// Texts that the prompt offers as examples. Each goes to a place of this replay.
[[nodiscard]] std::vector<std::string> go_to_examples(const Replay& replay);

}  // namespace tilereel
