#pragma once
// The requests of the watched block as the page reads them: everything that changes from step to
// step, from the replay.
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/export/html/array_picture.h"
#include "app/replay/replay.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// What is told of the steps: their columns, and the tables whose rows they name. The page's file
// read.js lists the columns.
struct PageSteps {
    nlohmann::json columns, tables;
};

// Walks the replay from the first step to the end. `going_on` is asked at each step; its error
// ends the work. kFailed if the data would be larger than `most_bytes`.
[[nodiscard]] Result<PageSteps> page_steps(Replay& replay,
                                           const std::vector<ArrayPicture>& pictures,
                                           std::uint64_t most_bytes,
                                           const std::function<Status()>& going_on);

}  // namespace tilereel
