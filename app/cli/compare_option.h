#pragma once
// --compare: what the launch is compared with.
#include <CLI/CLI.hpp>
#include <string>

#include "app/workbench/compare_side.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/record/record.h"

namespace tilereel {

void add_compare_option(CLI::App& app, std::string& what);

// "pad=1", "tile=16,pad=1", "generation=1.3", "barrier=24" (left out; 0: none): what differs from
// `own`; "02_naive": another kernel, with what else it shares with `own`; a trace or a CUDA
// program. `own`: of a program or a trace it has no kernel, and then only the generation can
// differ. kWrongCall that says what it may be.
[[nodiscard]] Result<CompareSide> compare_side(const std::string& what, const RecordRequest& own,
                                               const Generation& generation);

}  // namespace tilereel
