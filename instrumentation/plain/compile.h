#pragma once
// From CUDA files to a program that records itself.
#include <filesystem>
#include <string>
#include <vector>

#include "instrumentation/plain/program.h"
#include "instrumentation/plain/toolchain.h"

namespace tilereel::plain {

struct Compiled {
    std::filesystem::path program;  // empty: it does not compile
    std::vector<CompileError> errors;
    std::string words;  // all that the compiler said
};
// Works in `folder`, which exists.
[[nodiscard]] Result<Compiled> compile_program(const ProgramRequest& request,
                                               const Toolchain& tools,
                                               const std::filesystem::path& folder,
                                               const std::atomic<bool>* cancel);

}  // namespace tilereel::plain
