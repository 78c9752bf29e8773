#pragma once
// Hazards as the report prints them.
#include <nlohmann/json.hpp>
#include <string>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// [{"kind", "severity", "message", "block": [x, y], "epoch", "lines", "threads", and where it is
// about shared memory "array", "cell": [row, column], "cells"}]
[[nodiscard]] nlohmann::ordered_json findings_json(const Trace& trace,
                                                   const Generation& generation);
[[nodiscard]] std::string findings_text(const Trace& trace, const Generation& generation);

}  // namespace tilereel
