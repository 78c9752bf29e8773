#pragma once
// The options of a race, as the user types them.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/race/race.h"
#include "app/race/runners/own_kernel.h"
#include "kernels/kernel_name.h"

namespace tilereel {

enum class RaceOn { kAny, kGpu, kCpu };  // kAny: the GPU if there is one

struct RaceOptions {
    std::vector<std::string>
        kernels;  // "09_tiled", "09_tiled:32", "09_tiled:32:1"; none: the ladder
    std::vector<ProductSize> sizes;
    std::vector<int> tiles, pads;
    std::optional<int> repeats, seconds, threads;
    std::optional<std::uint64_t> seed;
    bool cold = false, warm = false, cpu = false, gpu = false, no_reference = false;
    bool wants_reference = false;  // the default
    bool only_named = false;       // no reference races unless it is named
    // Of a .cu file among `kernels`: its launch, else recognised; and where to write what is
    // compiled instead of racing.
    std::string call, own_library;
    std::string values;         // --define: "TILE=8,16,32"
    bool trusts_files = false;  // a .cu file races with the user's rights
    std::optional<int> launch;  // the program's launch that races, counted from 0
    // Makes the kernels of a .cu file, one for each of `values`; race_alone only loads what was
    // compiled elsewhere (.so).
    Result<std::vector<OwnKernel>> (*own_kernels)(const RaceOptions& options,
                                                  const std::string& file) = load_own_kernels;
    static Result<std::vector<OwnKernel>> load_own_kernels(const RaceOptions& options,
                                                           const std::string& file);
    // The error for a name that is no contender. `tilereel` also says that a file cannot race:
    // cannot_race(). The race alone knows no files.
    Error (*no_contender)(const std::string& name) = no_such_kernel;
    [[nodiscard]] bool any() const;  // any option was given
};
void add_race_options(CLI::App& app, RaceOptions& options);

struct PlannedRace {
    RaceRequest request;
    std::unique_ptr<Runner> runner;
    std::string note;  // text for stderr: no GPU, no reference, kernels that are left out
};
// kWrongCall for unknown kernels, tiles or sizes, or for kernels of CPU and GPU together. kFailed
// if the requested GPU is missing.
Result<PlannedRace> plan_race(const RaceOptions& options);

}  // namespace tilereel
