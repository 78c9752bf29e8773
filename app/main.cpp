// Tilereel: a window on what the threads of a matrix multiply do to memory. Subcommands need no
// window; see app/cli.
#include <iostream>

#include "app/cli/commands.h"
#include "app/window/session.h"

int main(int argc, char** argv) {
    const tilereel::CommandLine line = tilereel::run_command_line(argc, argv);
    if (!line.window) return line.exit_code;
    const tilereel::Status ended = tilereel::run_window(*line.window);
    if (ended) return 0;
    std::cerr << "tilereel: " << ended.error().message << '\n';
    return ended.error().kind == tilereel::ErrorKind::kWrongCall ? 2 : 1;
}
