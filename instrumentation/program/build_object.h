#pragma once
// A part of programs that is compiled once.
#include "instrumentation/base/result.h"
#include "instrumentation/program/program_run.h"

namespace tilereel::program {

// Compiles the first file of the request alone. BuiltProgram::program is its object file, which
// ProgramRequest::more_files of other programs can name; such an object has main(). It must come
// from the same Tilereel, because its hooks are those of its headers.
[[nodiscard]] Result<BuiltProgram> build_object(const ProgramRequest& request,
                                                ProgramProgress* progress = nullptr);

}  // namespace tilereel::program
