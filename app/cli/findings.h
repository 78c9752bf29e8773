#pragma once
// Hazards and other findings as the report prints them.
#include <nlohmann/json.hpp>
#include <string>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// A list of {"kind", "severity", "message", "block": [x, y], "epoch", "lines", "threads"}; for
// shared memory also "array", "cell": [row, column], "cells". Findings of the recorder come first;
// they also have "count" and "offset_bytes".
[[nodiscard]] nlohmann::ordered_json findings_json(const Trace& trace,
                                                   const Generation& generation);
// Sentences: what happened, and what to do.
[[nodiscard]] std::string recorded_findings_text(const Trace& trace);  // one line each
[[nodiscard]] std::string findings_text(const Trace& trace, const Generation& generation);

}  // namespace tilereel
