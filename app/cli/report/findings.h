#pragma once
// Hazards and other findings as the report prints them.
#include <nlohmann/json.hpp>
#include <string>

#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// A list. The findings of the recorder come first: {"kind", "severity", "message", "count"} and,
// where they are known, "block": [x, y] or [x, y, z], "lines", "file", "threads", "array" and
// "offset_bytes". Then the hazards: {"kind", "severity", "message", "block": [x, y], "epoch",
// "lines", "threads"}, and "array", "cell": [row, column] and "cells" if an array is involved.
// Last a wrong C, if no barrier was removed: {"kind": "wrong_product", "severity", "message",
// "why", "array", "cell", "cells"}.
[[nodiscard]] nlohmann::ordered_json findings_json(const Trace& trace,
                                                   const Generation& generation);
// Sentences: what happened, and what to do.
[[nodiscard]] std::string recorded_findings_text(const Trace& trace);  // one line each
[[nodiscard]] std::string findings_text(const Trace& trace, const Generation& generation);

}  // namespace tilereel
