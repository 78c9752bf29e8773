#pragma once
// A program may define C functions that the C library has, too: write(), read(), getenv(). The
// linker would give them to the recorder and to the C++ library as well.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/program/process.h"

namespace tilereel::program {

// The functions that these object files define and the C library has, ascending; without those that
// allocate memory, which a program may replace as a whole.
[[nodiscard]] std::vector<std::string> own_c_functions(
    const std::vector<std::filesystem::path>& objects);

using RunTool = std::function<Result<ProcessResult>(std::vector<std::string> command)>;

// Renames these functions in the object files. The program then calls its own ones, and all others
// call those of the C library.
[[nodiscard]] Status keep_own_c_functions(const std::vector<std::filesystem::path>& objects,
                                          const RunTool& run_tool);

}  // namespace tilereel::program
