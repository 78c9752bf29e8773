#pragma once
// The command line: subcommands that need no window, and the window's own options.
//
// int main(int argc, char** argv) {
//     const CommandLine line = run_command_line(argc, argv);
//     if (!line.window) return line.exit_code;
//     ... open the window as *line.window asks ...
// }
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/ladder/record_request.h"
#include "app/workbench/view/saved_view.h"
#include "instrumentation/analysis/products/named_product.h"

namespace tilereel {

namespace program {
struct ProgramRequest;
}

// The options of `tilereel [FILE] [--kernel ID --m M ... --size WxH --light --text PX --tick T
// ...]`.
struct WindowOptions {
    RecordRequest request;                      // the first recording, if no file is opened
    bool sizes_chosen = false;                  // the user gave M, N or K
    std::optional<std::filesystem::path> file;  // a trace file to open instead
    std::shared_ptr<const program::ProgramRequest> program;  // a CUDA program to open; may be null
    std::string generation = "9.0";                 // compute capability that the program sees
    std::optional<std::filesystem::path> lesson;    // a lesson to open
    int lesson_scene = 0;                           // first scene, counted from 0
    std::optional<std::filesystem::path> exercise;  // an exercise to open
    std::filesystem::path exercise_copy;            // the learner's file; empty: as the last time
    std::optional<NamedProduct> product;            // --product
    int width = 1920, height = 1080;                // --size
    bool size_given = false;
    bool size_kept = false;                  // the size comes from the last session
    bool light = false;                      // --light
    int text_px = 14;                        // --text, 14..32
    bool text_given = false;                 // otherwise the text follows the screen's scale
    bool motion = true;                      // --motion on or off
    double speed = 1;                        // --speed: of the replay; 1 is 160 ms per tick
    std::optional<double> tick;              // --tick: start paused at this tick
    std::uint32_t block_x = 0, block_y = 0;  // --block X,Y
    std::optional<SavedView> view;           // --state: position and look
    std::optional<Subject> compare;          // --compare: the other side
    // For pictures and tests of the real window.
    std::optional<int> frames;                        // --frames N: close after N frames
    std::optional<std::filesystem::path> screenshot;  // --screenshot FILE: the last frame as PNG
    bool print_state = false;                         // --print-state: JSON lines on stdout
    std::optional<std::filesystem::path> commands;    // --commands FILE: the log of the session
    Subject opened;                                   // what it begins with
};

struct CommandLine {
    std::optional<WindowOptions> window;  // set: open the window; otherwise exit with exit_code
    int exit_code = 0;                    // 0: success; 1: the work failed; 2: wrong call
};

// Runs a subcommand, --help or --version. For a wrong call, prints an error of one line to stderr.
// If the call opens the window, returns its options. Ignores SIGPIPE for the process.
[[nodiscard]] CommandLine run_command_line(int argc, char** argv);

}  // namespace tilereel
