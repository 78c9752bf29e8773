#pragma once
// Hazards as the report prints them.
#include <nlohmann/json.hpp>
#include <string>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// [{"kind", "severity", "message", "block": [x, y], "epoch", "lines", "threads", and where it is
// about shared memory "array", "cell": [row, column], "cells"}]; what the recorder saw comes first,
// with "count" and "offset_bytes".
[[nodiscard]] nlohmann::ordered_json findings_json(const Trace& trace,
                                                   const Generation& generation);
// "What happened. What to do."
[[nodiscard]] std::string recorded_findings_text(const Trace& trace);  // a line each
[[nodiscard]] std::string findings_text(const Trace& trace, const Generation& generation);

}  // namespace tilereel
