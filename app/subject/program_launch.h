#pragma once
// The request to run the program of a subject.
#include "app/subject/subject.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {

// With the subject's flags, and those of the file's compile_commands.json; in a sandbox unless the
// file is trusted (trust.h). All launches are recorded; Subject::launch is the one to show.
[[nodiscard]] program::ProgramRequest program_request(const Subject& subject);

}  // namespace tilereel
