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

namespace tilereel::program {

struct Sandbox {
    // Files and folders besides the system's, at the same paths. Those that are not there are left
    // out.
    std::vector<std::filesystem::path> readable, writable;
};

inline constexpr const char* kBubblewrap = "bwrap";
inline constexpr int kFirstInSandbox = 2;
inline constexpr int kSignalled = 128;

// The command that runs `command` in a sandbox, in `folder`, with these variables alone besides
// PATH and the language.
[[nodiscard]] std::vector<std::string> in_sandbox(
    const Sandbox& sandbox, const std::filesystem::path& folder,
    const std::vector<std::pair<std::string, std::string>>& variables,
    const std::vector<std::string>& command);

}  // namespace tilereel::program
