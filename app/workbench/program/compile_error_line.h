#pragma once
// The line of a program that must be changed to mend a compiler's error.
#include <cstdint>
#include <string_view>

#include "instrumentation/program/program_run.h"

namespace tilereel {

// Whether the compiler says that a ';' is missing.
[[nodiscard]] bool lacks_semicolon(std::string_view compiler_words);
// The line of the program's `text` to mend. The compiler reports a missing ';' at the next word; if
// that begins a line, the ';' belongs to the end of a line above it.
[[nodiscard]] std::uint32_t line_to_mend(std::string_view text, const program::CompileError& error);

}  // namespace tilereel
