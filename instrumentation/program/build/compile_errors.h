#pragma once
// Turns messages of the compiler and the linker into errors at the user's own lines.
#include <string>
#include <vector>

#include "instrumentation/program/process.h"
#include "instrumentation/program/program_run.h"

namespace tilereel::program {

// The compiler's output without its messages about our headers, which lie in the folder `ours`.
[[nodiscard]] std::string without_our_headers(const std::string& output, const std::string& ours);
// The errors ("file.cu:12:5: error: ...") in the compiler's output. An error in our headers is
// reported at the launch that caused it.
[[nodiscard]] std::vector<CompileError> errors_in(const std::string& output,
                                                  const std::string& ours);
// One error for each symbol that the linker did not find or found twice; none if it failed in
// another way. `file`: the program's source.
[[nodiscard]] std::vector<CompileError> link_errors(const std::string& output,
                                                    const std::string& file);
// Why a tool failed that names no error in the source: its limits, the disk, or itself. `tool`:
// "g++", "the linker". `file`: the program's source.
[[nodiscard]] CompileError failure_of_tool(const ProcessResult& ended, const std::string& tool,
                                           const std::string& file);
// Keeps the first of several equal errors at one line.
void remove_repeated(std::vector<CompileError>& errors);

}  // namespace tilereel::program
