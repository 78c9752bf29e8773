#pragma once
// Compiles CUDA files to a program that records its own launches.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "instrumentation/program/program_run.h"
#include "instrumentation/program/toolchain.h"

namespace tilereel::program {

// kObject: the object of the first file, which ProgramRequest::more_files of other programs can
// name.
enum class Made : std::uint8_t { kProgram, kObject };

struct Compiled {
    std::filesystem::path program;  // or object; empty if there are errors
    std::vector<CompileError> errors;
    std::string compiler_output;
};
// `folder`: an existing folder for all files that are made.
[[nodiscard]] Result<Compiled> compile_program(const ProgramRequest& request,
                                               const Toolchain& tools,
                                               const std::filesystem::path& folder,
                                               const std::atomic<bool>* cancel,
                                               Made what = Made::kProgram);

}  // namespace tilereel::program
