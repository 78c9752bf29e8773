#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "app/cli/options/race_options.h"

namespace tilereel {

struct RaceCommand {
    RaceOptions options;
    bool json = false, csv = false;
    // Of the descriptor to which race_line() and then event_line() of each event is written, for a
    // program that watches this one. Not stdout, to which the raced kernels may print.
    std::optional<int> events;
    std::string output, open, compare;  // file names
    // Further output from a race that was run or opened. Empty: none.
    std::function<Status(const Race&)> and_then;
    void add_to(CLI::App& app);
    // Returns the text to print at the end; JSON lines are printed as they arrive. After an
    // interrupt the results so far are printed and saved, and the return value is an error.
    [[nodiscard]] Result<std::string> run() const;

  private:
    [[nodiscard]] Result<std::string> report(const Race& race,
                                             const std::optional<Race>& before) const;
    [[nodiscard]] Result<std::string> write_library() const;
    [[nodiscard]] Result<std::string> run_race_now(const std::optional<Race>& before) const;
    [[nodiscard]] Result<std::string> show_saved(const std::string& file,
                                                 const std::optional<Race>& before) const;
};

}  // namespace tilereel
