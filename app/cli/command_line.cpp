#include <CLI/CLI.hpp>
#include <functional>

#include "app/cli/command_line_program.h"
#include "app/cli/commands.h"
#include "app/cli/completion.h"
#include "app/cli/interrupt.h"
#include "app/cli/man_page.h"
#include "app/cli/options/checked_option.h"
#include "app/cli/subcommands.h"
#include "app/cli/window_call.h"
#include "instrumentation/base/interruption.h"

namespace tilereel {
namespace {

struct AllCommands {
    KernelsCommand kernels;
    FactsCommand facts;
    TraceCommand trace;
    CheckCommand check;
    ReportCommand report;
    RunCommand run;
    ExplainCommand explain;
    OccupancyCommand occupancy;
    EstimateCommand estimate;
    NewCommand new_program;
    GradeCommand grade;
    ExerciseCommand exercise;
    LessonCommand lesson;
    ExportCommand export_picture;
    RacePictureCommand race;
};

// A subcommand and the function that runs it.
struct Entry {
    CLI::App* app = nullptr;
    std::function<Result<std::string>()> run;
};

template <class Command>
Entry add_command(CLI::App& app, Command& command, const char* name, const char* description) {
    CLI::App* const subcommand = app.add_subcommand(name, description);
    subcommand->footer("");
    command.add_to(*subcommand);
    return {subcommand, [&command] { return command.run(); }};
}

std::vector<Entry> add_commands(CLI::App& app, AllCommands& all) {
    return {
        add_command(app, all.kernels, "kernels", "List the kernels of the ladder"),
        add_command(app, all.facts, "facts", "Show facts about the kernels, with their sources"),
        add_command(app, all.trace, "trace", "Record a kernel into a trace file"),
        add_command(app, all.check, "check", "Check whether a trace file is sound and complete"),
        add_command(app, all.report, "report", "Count what a kernel did to memory"),
        add_command(app, all.run, "run", "Run a CUDA program without a GPU"),
        add_command(app, all.explain, "explain", "Show what one warp-wide access costs"),
        add_command(app, all.occupancy, "occupancy", "Show how many warps an SM holds"),
        add_command(app, all.estimate, "estimate", "Estimate how long a launch takes on a GPU"),
        add_command(app, all.new_program, "new", "Write a kernel as a program of your own"),
        add_command(app, all.grade, "grade", "Grade a CUDA file by what its kernels do"),
        add_command(app, all.exercise, "exercise", "Open or list exercises"),
        add_command(app, all.lesson, "lesson", "Show, check or list lessons"),
        add_command(app, all.race, "race", "Race kernels at full speed"),
        add_command(app, all.export_picture, "export", "Write a picture or film of the replay")};
}

// Answers requests from packages: the manual page and shell completion. Users do not type these
// commands, and --help does not list them.
std::optional<std::string> answer_for_package(const CLI::App& app, int argc, char** argv) {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (words == std::vector<std::string>{"man-page"}) return man_page(app, TILEREEL_VERSION);
    if (words.empty() || words.front() != "complete") return std::nullopt;
    std::string lines;
    for (const std::string& each : completions(app, {words.begin() + 1, words.end()}))
        lines += each + "\n";
    return lines;
}

// kWrongCall if an option of the window stands before the subcommand, where it has no effect.
Status check_place_of_options(const CLI::App& app) {
    if (app.get_subcommands().empty()) return Done{};
    const std::string& command = app.get_subcommands().front()->get_name();
    for (const CLI::Option* const option : app.get_options())
        if (option->count() > 0)
            return wrong_call(option->get_name() + " stands before '" + command +
                              "' and has no effect there; write it after '" + command +
                              "' or leave it out");
    return Done{};
}

CommandLine refused(const std::string& program, const Error& error) {
    return {std::nullopt, report_error(program, error.message, error.kind)};
}

// `tilereel lesson FILE`
CommandLine window_with_lesson(const LessonCommand& lesson, const WindowCall& call) {
    const Result<std::filesystem::path> file = lesson.find_file();
    if (!file) return refused("tilereel lesson", file.error());
    Result<WindowOptions> window = window_of(call);
    if (!window) return refused("tilereel lesson", window.error());
    window->lesson = *file;
    window->lesson_scene = lesson.scene.value_or(1) - 1;
    return {std::move(window).value(), 0};
}

// `tilereel exercise NAME`
CommandLine window_with_exercise(const ExerciseCommand& exercise, const WindowCall& call) {
    const Result<std::filesystem::path> file = exercise.find_exercise();
    if (!file) return refused("tilereel exercise", file.error());
    Result<WindowOptions> window = window_of(call);
    if (!window) return refused("tilereel exercise", window.error());
    window->exercise = *file;
    window->exercise_copy = exercise.copy_of(*file);
    return {std::move(window).value(), 0};
}

CommandLine run_parsed(int argc, char** argv) {
    CLI::App app("See what every thread of a CUDA kernel does to memory.", "tilereel");
    app.set_version_flag("--version", "tilereel " TILEREEL_VERSION);
    app.footer("Without a command, the window opens.");
    AllCommands all;
    WindowCall call;
    add_window_options(app, call);
    WindowCall open_call, lesson_call, exercise_call;
    CLI::App* const open =
        app.add_subcommand("open", "Open a CUDA program, a trace or a race in the window");
    add_open_options(*open, open_call);
    const std::vector<Entry> entries = add_commands(app, all);
    app.require_subcommand(0, 1);
    add_test_options(*app.get_subcommand("lesson"), lesson_call);
    add_look_options(*app.get_subcommand("exercise"), exercise_call.picture);
    add_test_options(*app.get_subcommand("exercise"), exercise_call);
    if (const auto answer = answer_for_package(app, argc, argv))
        return {std::nullopt, exit_code_of("tilereel", *answer)};
    if (const auto code = parse(app, argc, argv)) return {std::nullopt, *code};
    if (const Status sound = check_place_of_options(app); !sound)
        return refused("tilereel", sound.error());
    const CLI::App& command = app.get_subcommands().empty() ? app : *app.get_subcommands().front();
    if (const Status sound = check_written_files(command); !sound)
        return refused(&command == &app ? "tilereel" : "tilereel " + command.get_name(),
                       sound.error());
    if (*app.get_subcommand("lesson") && all.lesson.opens_window()) {
        lesson_call.picture = all.lesson.picture;
        return window_with_lesson(all.lesson, lesson_call);
    }
    if (*app.get_subcommand("exercise") && all.exercise.opens_window())
        return window_with_exercise(all.exercise, exercise_call);
    if (exercise_call.any_test_option() || exercise_call.picture.look_given())
        return refused("tilereel exercise",
                       wrong_call("--size, --light, --text, --frames, --screenshot and "
                                  "--print-state are for the window: name an exercise, or leave "
                                  "them out"));
    if (lesson_call.any_test_option())
        return refused("tilereel lesson",
                       wrong_call("--frames, --screenshot and --print-state are for the window, "
                                  "which does not open; leave them out"));
    for (const Entry& entry : entries)
        if (*entry.app)
            return {std::nullopt, exit_code_of("tilereel " + entry.app->get_name(), entry.run())};
    auto window = window_of(*open ? open_call : call);
    if (window) return {*std::move(window), 0};
    return refused("tilereel", window.error());
}

}  // namespace

CommandLine run_command_line(int argc, char** argv) {
    const InterruptSentence sentence;
    CommandLine line;
    const auto run = [&] {
        line = run_parsed(argc, argv);
        return line.exit_code;
    };
    line.exit_code = run_guarded("tilereel", std::ref(run));
    // As a shell reports a program that a signal has ended.
    constexpr int kSignalCode = 128;
    if (was_interrupted()) line.exit_code = kSignalCode + interrupting_signal;
    return line;
}

}  // namespace tilereel
