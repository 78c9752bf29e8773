#pragma once
// What the compiler and the linker say, as errors of the user's own lines.
#include <string>
#include <vector>

#include "instrumentation/plain/program.h"

namespace tilereel::plain {

// The compiler's words without what it says of our headers, which lie in the folder `ours`.
[[nodiscard]] std::string without_rewriting(const std::string& words, const std::string& ours);
// "file.cu:12:5: error: ..." of the compiler's words. An error in our headers is one of the launch
// that led there.
[[nodiscard]] std::vector<CompileError> errors_in(const std::string& words,
                                                  const std::string& ours);
// What the linker misses, a sentence each. `file`: the program's.
[[nodiscard]] std::vector<CompileError> link_errors(const std::string& words,
                                                    const std::string& file);
// Keeps the first of errors that say the same of one line.
void remove_repeated(std::vector<CompileError>& errors);

}  // namespace tilereel::plain
