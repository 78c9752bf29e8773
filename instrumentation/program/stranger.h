#pragma once
// What a stranger's program and its compiler may read, and whether this computer can keep them to
// it (sandbox.h).
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/program/program_run.h"

namespace tilereel::program {

// Why there can be no sandbox on this computer and what to do, a sentence; empty: there can be one.
// It is tried once a process.
[[nodiscard]] const std::string& why_no_sandbox();
// Why the memory, the processes and the files of a program cannot be limited (process_watch.h),
// with what to do; empty: they can.
[[nodiscard]] std::string why_not_watched();

// How the message of a refused #include begins.
inline constexpr std::string_view kIncludesInSandbox = "a program in a sandbox includes only ";

// What a program and its compiler read of their user: the program's files, the folders in which
// they lie, and its include folders. Not the home and the folders around it: of these only the
// files.
[[nodiscard]] std::vector<std::filesystem::path> readable_of(const ProgramRequest& request);
// Whether `path` is one of `paths` or lies in one. All of them are absolute and without links.
[[nodiscard]] bool is_within(const std::filesystem::path& path,
                             const std::vector<std::filesystem::path>& paths);

}  // namespace tilereel::program
