#pragma once
// Programs of a folder, with what their comments say of how to run them, run two at a time.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "instrumentation/plain/program.h"

namespace tilereel::plain {

struct NamedRequest {
    std::string name;  // "several/main.cu"
    ProgramRequest request;
};
// Files that end in .cu, each with the options of its line "test: --with kernel.cu -I headers -D
// N=4 --std c++20 --seconds 2 --generation 8.6"; paths from the file's folder. Those that need a
// header which is not installed are left out, unless `all`.
[[nodiscard]] std::vector<NamedRequest> programs_in(const std::filesystem::path& folder,
                                                    bool all = false);
void run_all(const std::vector<NamedRequest>& programs,
             const std::function<void(const NamedRequest&, const Result<ProgramRun>&)>& take);
// What the program prints and its findings, to be shown where a test fails.
[[nodiscard]] std::string words_of(const ProgramRun& run);

}  // namespace tilereel::plain
