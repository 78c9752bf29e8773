#pragma once
// The JSON of a program's launches.
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "app/cli/options/program_options.h"
#include "app/cli/program/product_use.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/base/result.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {

// Without what was counted.
[[nodiscard]] nlohmann::ordered_json launch_json(const program::LaunchSummary& launch);

// Counts launches as they end, and prints all of them as one object.
class ProgramJson {
  public:
    ProgramJson(const ProgramOptions& options, const Generation& generation, ProductUse& product)
        : options_(options), generation_(generation), product_(product) {}

    // Counts the launch, unless it is known. Counts nothing more once is_interrupted_long().
    [[nodiscard]] Status count(const program::LaunchSummary& launch);
    // The report of the whole run. "complete" is false if the program was stopped or crashed, or
    // if the report was interrupted.
    [[nodiscard]] std::string text(const std::string& file, const program::ProgramRun& run) const;

  private:
    const ProgramOptions& options_;
    const Generation& generation_;
    ProductUse& product_;
    std::map<std::uint32_t, nlohmann::ordered_json> counted_;  // by the launch's number
    std::set<std::uint32_t> changed_;  // launches whose file is not as the recorder wrote it
};

}  // namespace tilereel
