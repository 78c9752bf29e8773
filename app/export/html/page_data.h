#pragma once
// The data of a recorded block's web page. All values come from the trace, the replay and the
// analysis; the page only displays them.
#include <functional>
#include <nlohmann/json.hpp>

#include "app/replay/replay.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// A page larger than this opens slowly.
inline constexpr std::uint64_t kMostPageBytes = std::uint64_t{32} << 20;

// The launch, its source, arrays, steps, timeline, counters and findings. `check_cancelled` is
// called repeatedly; an error from it ends the work. kFailed if the block is too large for a page.
[[nodiscard]] Result<nlohmann::ordered_json> page_data(
    Replay& replay, const std::function<Status()>& check_cancelled);

}  // namespace tilereel
