#pragma once
// Options of the commands that take a CUDA program.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/ladder/record_request.h"
#include "app/subject/file_kind.h"
#include "app/subject/subject.h"
#include "instrumentation/analysis/products/named_product.h"
#include "instrumentation/base/result.h"

namespace tilereel {

namespace program {
struct ProgramRequest;
}

// --launch --blocks --accesses --seconds --product -I -D --std --with --call --trust, and the
// arguments of the program
struct ProgramOptions {
    bool all_blocks = false;                // even those that take long
    bool trusted = false;                   // --trust: not in a sandbox
    std::optional<int> launch;              // counted from 0
    std::vector<std::uint32_t> blocks;      // block numbers
    std::optional<std::uint64_t> accesses;  // largest number recorded for each launch
    std::optional<int> seconds;             // without progress; then the program is stopped
    std::vector<std::string> include_folders, defines, more_files;
    std::vector<std::string> launch_lines;  // kernel launches to run instead of main()
    std::optional<std::string> standard;    // nullopt: that of program::ProgramRequest
    std::vector<std::string> arguments;
    std::optional<NamedProduct> product;
    bool on_gpu = false;  // set by on_device()
};
void add_program_options(CLI::App& app, ProgramOptions& options);

// Returns the options with the device that --device names. "auto" means the GPU if there are a GPU
// and nvcc.
[[nodiscard]] ProgramOptions on_device(const ProgramOptions& options,
                                       const std::optional<Recorder>& device);

// kWrongCall if any of these options was given. Call it if `subject` is not a program.
[[nodiscard]] Status check_no_program_options(const std::string& subject,
                                              const ProgramOptions& options);
[[nodiscard]] ProgramParts parts_of(const ProgramOptions& options);
[[nodiscard]] Subject subject_of_program(const std::string& file, const ProgramOptions& options,
                                         std::string generation);
[[nodiscard]] program::ProgramRequest request_of_program(const std::string& file,
                                                         const ProgramOptions& options,
                                                         std::string generation);

}  // namespace tilereel
