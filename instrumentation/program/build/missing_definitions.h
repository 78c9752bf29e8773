#pragma once
// Which files near a program's define what its link did not find.
#include <filesystem>
#include <string>
#include <vector>

#include "instrumentation/program/program_run.h"

namespace tilereel::program {

// The name in a linker's message, without parameters, template arguments and namespaces:
// "ns::add<int>(int, float*)" -> "add".
[[nodiscard]] std::string plain_name(std::string symbol);

// Sets CompileError::defined_in of errors with a `missing` symbol, and completes their messages.
// Source files in the folders of the program's files and headers are looked at, and those one level
// below; not files with a main(). `folders`: of the files that the program includes.
void find_definitions(std::vector<CompileError>& errors, const ProgramRequest& request,
                      const std::vector<std::filesystem::path>& folders);

}  // namespace tilereel::program
