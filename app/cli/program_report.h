#pragma once
// What a CUDA program's launches did to memory, as the commands print it.
#include <string>

#include "app/cli/program_options.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Runs the program and reads the launch that the options name, else the first that has a trace and
// the arrays of the product that they name. A product has its matrices.
[[nodiscard]] Result<Trace> trace_of_launch(const std::string& file, const ProgramOptions& options,
                                            const Generation& generation);
// Counters, lines and findings of all launches, or of the one that the options name.
[[nodiscard]] Result<std::string> report_program(const std::string& file,
                                                 const ProgramOptions& options,
                                                 const Generation& generation, bool json);
// Writes a trace file a launch: OUTPUT for the only one, else OUTPUT with the launch's number
// before its ending.
[[nodiscard]] Result<std::string> trace_program(const std::string& file,
                                                const ProgramOptions& options,
                                                const std::string& output, bool json);

}  // namespace tilereel
