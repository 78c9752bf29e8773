#pragma once
// A sandbox for a stranger's program, by bubblewrap (the Debian package `bubblewrap`, program
// `bwrap`). In it there is a read-only system without anything of its user: no home, no temporary
// files, no network, no other processes and no variables, and nothing can be written but in the
// folders that are named.
//
// What a process sees in it. bwrap stands between Tilereel and the program, and the program has
// process numbers of its own:
//
//     Tilereel ── bwrap ─┬─ process 1 of the sandbox, which bwrap is, too
//                        └─ process 2: the program (kFirstInSandbox)
//
// All of them are one process group, so the limits and signals of process.h reach them. bwrap
// passes on the exit code; a program that a signal has ended gives kSignalled + its number.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/program/program_run.h"

namespace tilereel::program {

struct Sandbox {
    // Files and folders besides the system's, at the same paths. Those that are not there are left
    // out.
    std::vector<std::filesystem::path> readable, writable;
};

inline constexpr int kFirstInSandbox = 2;
inline constexpr int kSignalled = 128;

// Why there can be no sandbox on this computer and what to do, a sentence; empty: there can be one.
// It is tried once a process.
[[nodiscard]] const std::string& why_no_sandbox();

// The command that runs `command` in a sandbox, in `folder`, with these variables alone besides
// PATH and the language.
[[nodiscard]] std::vector<std::string> in_sandbox(
    const Sandbox& sandbox, const std::filesystem::path& folder,
    const std::vector<std::pair<std::string, std::string>>& variables,
    const std::vector<std::string>& command);

// What a program and its compiler read of their user: the program's files, the folders in which
// they lie, and its include folders. Not the home and the folders around it: of these only the
// files.
[[nodiscard]] std::vector<std::filesystem::path> readable_of(const ProgramRequest& request);
// Whether `path` is one of `paths` or lies in one. All of them are absolute and without links.
[[nodiscard]] bool is_within(const std::filesystem::path& path,
                             const std::vector<std::filesystem::path>& paths);

}  // namespace tilereel::program
