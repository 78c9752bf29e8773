#pragma once
// Runs the programs of a folder, two at a time, with the options in their comments.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "instrumentation/program/program.h"

namespace tilereel::program {

struct NamedRequest {
    std::string name;  // "several/main.cu"
    ProgramRequest request;
};
// Files that end in .cu, each with the options of its line "test: --with kernel.cu -I headers -D
// N=4 --std c++20 --seconds 2 --generation 8.6 --blocks 0"; paths from the file's folder. Left out
// are files that another program lists with --with and, unless `all`, programs that need a header
// which is not installed.
[[nodiscard]] std::vector<NamedRequest> programs_in(const std::filesystem::path& folder,
                                                    bool all = false);
void run_all(const std::vector<NamedRequest>& programs,
             const std::function<void(const NamedRequest&, const Result<ProgramRun>&)>& take);
// The program's output and findings, for the message of a failed test.
[[nodiscard]] std::string text_of(const ProgramRun& run);

// What the line "// of: ..." of a program has; empty if it has no such line.
[[nodiscard]] std::string expectation(const std::filesystem::path& file, const std::string& of);
// "exit 0", "signal 11", "time", "limit", "not compiled"
[[nodiscard]] std::string end_of(const ProgramRun& run);
// All text about a run that the window or a report shows.
[[nodiscard]] std::string reported_text(const ProgramRun& run);

}  // namespace tilereel::program
