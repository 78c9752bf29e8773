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

#include "app/workbench/compare_side.h"
#include "app/workbench/saved_view.h"
#include "instrumentation/analysis/named_product.h"
#include "instrumentation/record/record.h"

namespace tilereel {

namespace plain {
struct ProgramRequest;
}

// What `tilereel [FILE] [--kernel ID --m M ... --size WxH --light --text PX --tick T ...]` asks
// for.
struct WindowOptions {
    RecordRequest request;                      // the opening recording, when there is no file
    bool sizes_chosen = false;                  // M, N and K were given
    std::optional<std::filesystem::path> file;  // a trace file to open instead
    std::shared_ptr<const plain::ProgramRequest> program;  // or a CUDA program; may be null
    std::string generation = "9.0";                        // that the program sees
    std::optional<std::filesystem::path> lesson;           // or a lesson
    int lesson_scene = 0;                                  // that it opens at, from 0 on
    std::optional<NamedProduct> product;                   // --product
    int width = 1920, height = 1080;                       // --size
    bool size_given = false;
    bool size_kept = false;                  // that of the last time
    bool light = false;                      // --light
    int text_px = 14;                        // --text, 14..32
    bool motion = true;                      // --motion on or off
    double speed = 1;                        // --speed: of the replay, x1 is 160 ms a tick
    std::optional<double> tick;              // --tick: stand there, paused
    std::uint32_t block_x = 0, block_y = 0;  // --block X,Y
    std::optional<SavedView> view;           // --state: where to stand, and how it looks
    std::optional<CompareSide> compare;      // --compare: beside what is opened
    // For pictures and tests of the real window.
    std::optional<int> frames;                        // --frames N: close after N frames
    std::optional<std::filesystem::path> screenshot;  // --screenshot FILE: the last one, as PNG
    bool print_state = false;                         // --print-state: JSON lines on stdout
};

struct CommandLine {
    std::optional<WindowOptions> window;  // set: open the window; else exit with exit_code
    int exit_code = 0;                    // 0, 1 the work failed, 2 the call was wrong
};

// Runs a subcommand, --help or --version, or says on stderr in one line what is wrong with the
// call; a call that opens the window returns its options. Ignores SIGPIPE for the process.
[[nodiscard]] CommandLine run_command_line(int argc, char** argv);

}  // namespace tilereel
