// Tilereel: a window on what the threads of a CUDA kernel do to memory. Subcommands need no window;
// see app/cli.
#include <functional>

#include "app/cli/command_line_program.h"
#include "app/cli/commands.h"
#include "app/cli/surroundings.h"
#include "app/window/session.h"

int main(int argc, char** argv) {
    if (const int code = tilereel::prepare_surroundings(argv); code != 0) return code;
    const tilereel::CommandLine line = tilereel::run_command_line(argc, argv);
    if (!line.window) return line.exit_code;
    const auto show = [&line] {
        const tilereel::Status ended = tilereel::run_window(*line.window);
        if (ended) return 0;
        return tilereel::report_error("tilereel", ended.error().message, ended.error().kind);
    };
    return tilereel::run_guarded("tilereel", std::ref(show));
}
