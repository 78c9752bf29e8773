// `tilereel race` as a program of its own, for a machine with a GPU that lacks the libraries of the
// window.
#include "app/cli/command_line_program.h"
#include "app/cli/commands/race_command.h"
#include "app/cli/interrupt.h"
#include "app/cli/options/checked_option.h"

int main(int argc, char** argv) {
    const tilereel::InterruptSentence sentence;
    const auto race_as_asked = [argc, argv] {
        CLI::App app("Race kernels at full speed.", "tilereel_race_alone");
        tilereel::RaceCommand race;
        race.add_to(app);
        if (const auto code = tilereel::parse(app, argc, argv)) return *code;
        if (const tilereel::Status sound = tilereel::check_written_files(app); !sound)
            return tilereel::report_error(app.get_name(), sound.error().message,
                                          sound.error().kind);
        return tilereel::exit_code_of(app.get_name(), race.run());
    };
    return tilereel::run_guarded("tilereel_race_alone", std::ref(race_as_asked));
}
