#pragma once
// Options of commands that take a user's CUDA program.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/named_product.h"
#include "instrumentation/base/result.h"
#include "instrumentation/record/record.h"

namespace tilereel {

namespace plain {
struct ProgramRequest;
}

// --launch --blocks --accesses --seconds --product -I -D --std --with --call, and the program's own
// arguments
struct ProgramOptions {
    std::optional<int> launch;              // from 0 on
    std::vector<std::uint32_t> blocks;      // by number
    std::optional<std::uint64_t> accesses;  // recorded per launch, at most
    std::optional<int> seconds;
    std::vector<std::string> include_folders, defines, more_files;
    std::vector<std::string> launch_lines;  // instead of main()
    std::string standard = "c++17";
    std::vector<std::string> arguments;
    std::optional<NamedProduct> product;
    bool on_gpu = false;  // set by on_device()
};
void add_program_options(CLI::App& app, ProgramOptions& options);

// The options with the device that --device names: the GPU, if "auto" finds one and nvcc.
[[nodiscard]] ProgramOptions on_device(const ProgramOptions& options,
                                       const std::optional<Recorder>& device);

// kWrongCall if any is given with `subject`, which is no program.
[[nodiscard]] Status check_no_program_options(const std::string& subject,
                                              const ProgramOptions& options);
// Whether it names CUDA or C++ source text.
[[nodiscard]] bool is_program(const std::string& name);
[[nodiscard]] plain::ProgramRequest request_of_program(const std::string& file,
                                                       const ProgramOptions& options,
                                                       std::string generation);

}  // namespace tilereel
