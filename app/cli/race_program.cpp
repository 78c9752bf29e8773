#include "app/cli/race_program.h"

#include "app/cli/command_line_program.h"
#include "app/cli/commands/race_command.h"
#include "app/cli/interrupt.h"
#include "app/cli/options/checked_option.h"

namespace tilereel {

int run_race_program(int argc, char** argv) {
    const InterruptSentence sentence;
    const auto race_as_asked = [argc, argv] {
        CLI::App app("Race kernels at full speed.", "tilereel_race_alone");
        RaceCommand race;
        race.add_to(app);
        if (const auto code = parse(app, argc, argv)) return *code;
        if (const Status sound = check_written_files(app); !sound)
            return report_error(app.get_name(), sound.error().message, sound.error().kind);
        return exit_code_of(app.get_name(), race.run());
    };
    return run_guarded("tilereel_race_alone", std::ref(race_as_asked));
}

}  // namespace tilereel
