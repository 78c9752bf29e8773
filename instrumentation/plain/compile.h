#pragma once
// Compiles CUDA files to a program that records its own launches.
#include <filesystem>
#include <string>
#include <vector>

#include "instrumentation/plain/program_run.h"
#include "instrumentation/plain/toolchain.h"

namespace tilereel::plain {

struct Compiled {
    std::filesystem::path program;  // empty if there are errors
    std::vector<CompileError> errors;
    std::string compiler_output;
};
// `folder`: an existing folder for all files that are made.
[[nodiscard]] Result<Compiled> compile_program(const ProgramRequest& request,
                                               const Toolchain& tools,
                                               const std::filesystem::path& folder,
                                               const std::atomic<bool>* cancel);

}  // namespace tilereel::plain
