#pragma once
// Reports on the memory accesses of a CUDA program's launches.
#include <string>

#include "app/cli/options/program_options.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Runs the program and reads the launch that the options select. Without a selection, the first
// launch that has a trace and the arrays of --product. The trace of a product contains its
// matrices.
[[nodiscard]] Result<Trace> trace_of_launch(const std::string& file, const ProgramOptions& options,
                                            const Generation& generation);
// Counters, lines and findings of all launches, or of the selected one.
[[nodiscard]] Result<std::string> report_program(const std::string& file,
                                                 const ProgramOptions& options,
                                                 const Generation& generation, bool json);
// Writes a trace file for each launch: OUTPUT if there is one launch, otherwise OUTPUT with the
// number of the launch before the extension.
[[nodiscard]] Result<std::string> trace_program(const std::string& file,
                                                const ProgramOptions& options,
                                                const std::string& output, bool json);

}  // namespace tilereel
