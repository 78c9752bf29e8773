#pragma once
// --compare: the other side of a comparison.
#include <CLI/CLI.hpp>
#include <string>

#include "app/ladder/record_request.h"
#include "app/workbench/view/compare_side.h"
#include "instrumentation/analysis/generations/generation.h"

namespace tilereel {

void add_compare_option(CLI::App& app, std::string& what);

// `what` is one of: changes to `own` such as "pad=1", "tile=16,pad=1", "generation=1.3",
// "barrier=24" (left out; 0: none); a kernel such as "02_naive", which takes the other parameters
// of `own`; the path of a trace or a CUDA program. If `own` has no kernel (a program or a trace),
// only the generation can change. kWrongCall with a sentence that lists the possible values.
[[nodiscard]] Result<CompareSide> compare_side(const std::string& what, const RecordRequest& own,
                                               const Generation& generation);

}  // namespace tilereel
