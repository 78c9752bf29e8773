#pragma once
// What `tilereel report` prints of a trace.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

[[nodiscard]] nlohmann::ordered_json report_object(const Trace& trace,
                                                   const Generation& generation);
[[nodiscard]] std::string report_json(const Trace& trace, const Generation& generation);
// `searched_failing_order`: other orders of the threads were tried in order to make C wrong.
[[nodiscard]] std::string report_text(const Trace& trace, const Generation& generation,
                                      bool searched_failing_order = false);

}  // namespace tilereel
