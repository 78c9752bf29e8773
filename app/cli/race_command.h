#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "app/cli/race_options.h"

namespace tilereel {

struct RaceCommand {
    RaceOptions options;
    bool json = false, csv = false;
    std::string output, open, compare;  // files
    // What else is made of a race that was run or opened; empty: nothing.
    std::function<Status(const Race&)> and_then;
    void add_to(CLI::App& app);
    // The text to print in the end; JSON lines are printed as they come. An interrupt keeps, prints
    // and saves what there is, and is an error.
    [[nodiscard]] Result<std::string> run() const;

  private:
    [[nodiscard]] Result<std::string> report(const Race& race,
                                             const std::optional<Race>& before) const;
    [[nodiscard]] Result<std::string> run_race_now(const std::optional<Race>& before) const;
    [[nodiscard]] Result<std::string> show_saved(const std::string& file,
                                                 const std::optional<Race>& before) const;
};

}  // namespace tilereel
