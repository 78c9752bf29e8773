#pragma once
// Runs a CUDA program for a command, which an interrupt can end.
#include <string>

#include "app/cli/interrupt.h"
#include "app/cli/options/program_options.h"
#include "app/cli/program/launch_printer.h"
#include "instrumentation/base/result.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {

// Whether the command reports on this launch.
[[nodiscard]] bool is_wanted(const ProgramOptions& options, const program::LaunchSummary& launch);

// An interrupt ends the compiler or the program; what has been recorded is kept. Fails with
// kCancelled if that is nothing. Also fails if the program does not compile or does not come to
// the launch that the options select. `printer`: hears of each launch; may be null.
[[nodiscard]] Result<program::ProgramRun> run_checked(const std::string& file,
                                                      const ProgramOptions& options,
                                                      const std::string& generation,
                                                      const InterruptFlag& interrupt,
                                                      LaunchPrinter* printer = nullptr);

// Whether an interrupt came more than two seconds ago: who interrupts does not wait for the counts
// of many launches.
[[nodiscard]] bool is_interrupted_long();

}  // namespace tilereel
