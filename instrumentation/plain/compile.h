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

// The compiler's words without what it says of our headers, which lie in the folder `ours`.
[[nodiscard]] std::string without_rewriting(const std::string& words, const std::string& ours);
// "file.cu:12:5: error: ..." of the compiler's words. An error in our headers is one of the launch
// that led there.
[[nodiscard]] std::vector<CompileError> errors_in(const std::string& words,
                                                  const std::string& ours);

}  // namespace tilereel::plain
