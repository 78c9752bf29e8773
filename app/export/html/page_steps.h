#pragma once
// The requests of the watched block in the format of the page, and everything that changes with
// them. All values come from the replay.
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/export/html/array_picture.h"
#include "app/replay/replay.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// The columns of the steps, and the tables to whose rows the columns refer. page/read.js lists the
// columns.
struct PageSteps {
    nlohmann::json columns, tables;
};

// Walks through the replay from the first step to the end. `check_cancelled` is called at each
// step; an error from it ends the work. kFailed if the data would be larger than `most_bytes`.
[[nodiscard]] Result<PageSteps> page_steps(Replay& replay,
                                           const std::vector<ArrayPicture>& pictures,
                                           std::uint64_t most_bytes,
                                           const std::function<Status()>& check_cancelled);

}  // namespace tilereel
