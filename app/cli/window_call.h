#pragma once
// The command line of the window: which options it has, and what they open.
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/options/options.h"
#include "app/cli/options/picture_options.h"
#include "app/cli/options/program_options.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// The options of the window: what to open, and how it looks.
struct WindowCall {
    std::string subject, kernel, state, screenshot, commands, compare;
    std::optional<int> frames;
    bool print_state = false;
    // Whether --frames, --screenshot or --print-state was given.
    [[nodiscard]] bool any_test_option() const {
        return frames || !screenshot.empty() || print_state;
    }
    std::optional<bool> motion;
    std::optional<double> speed;
    bool as_last_time = false;  // the kernel is the one that was shown at the last exit
    KernelOptions options;
    PictureOptions picture;
    ProgramOptions program;
};

// `tilereel [KERNEL-OR-FILE]`
void add_window_options(CLI::App& app, WindowCall& call);
// `tilereel open FILE`
void add_open_options(CLI::App& app, WindowCall& call);
// --frames, --screenshot and --print-state.
void add_test_options(CLI::App& app, WindowCall& call);

// What the call opens. Without --frames, options that the call does not give keep the values of the
// last session. kWrongCall if options exclude each other, or if there is no such kernel or file.
[[nodiscard]] Result<WindowOptions> window_of(WindowCall call);

}  // namespace tilereel
