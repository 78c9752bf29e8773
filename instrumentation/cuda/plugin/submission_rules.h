#pragma once
// Rules for a file that is graded (app/exercise): its host code may only compute numbers and launch
// kernels, and its device code makes no access without a hook.
//
// Why here: the host code of a submission runs in the process that records. Anything that it could
// do there, such as writing a message to Tilereel or changing the recorder's memory, needs a
// dereferenced pointer, an index, assembly, or a call of a function that is not the file's own. All
// of these are visible in GCC's statements, whatever macros, templates and operators made them.
//
// main() is exempt, because the check renames it and never calls it. So every other function of the
// file is checked, whoever calls it.
#include <string>

#include "gcc.h"

namespace tilereel::runtime {

extern std::string submission;  // the path of the file; empty: no file is graded

void check_submission(function* function);
// Errors for called functions that the file only declares. Called when all functions are known.
void check_submitted_calls();

}  // namespace tilereel::runtime
