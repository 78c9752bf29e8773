#pragma once
// The flags of a file in the compilation database of its project: compile_commands.json, which
// CMake and other build systems write.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/program/program_run.h"

namespace tilereel::program {

struct FileFlags {
    std::vector<std::filesystem::path> include_folders;
    std::vector<std::string> defines;     // NAME or NAME=VALUE
    std::optional<std::string> standard;  // "c++17"
    bool operator==(const FileFlags&) const = default;
};
// Of the first compile_commands.json that names the file: beside it or above it, or in the folder
// build there. Empty if there is none.
[[nodiscard]] FileFlags flags_in_database(const std::filesystem::path& file);
// Adds the flags of the program's files behind those of the request. The standard is taken unless
// the user gave one.
void add_flags_of_database(ProgramRequest& request, bool has_standard);

}  // namespace tilereel::program
