#include <random>
#include <span>

#include "app/cli/command_line_program.h"
#include "app/cli/interrupt.h"
#include "app/cli/options/checked_option.h"
#include "app/cli/output.h"
#include "app/cli/report/grade_report.h"
#include "app/cli/subcommands.h"
#include "app/exercise/read_exercise.h"
#include "app/lesson/shipped.h"
#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/program/stranger.h"

namespace tilereel {
namespace {

std::string listed_exercises() {
    std::string text;
    for (const std::filesystem::path& file : exercises_in(shipped_folder("exercises"))) {
        const Exercise exercise = read_exercise(file).exercise;
        text += file.stem().string() + ": " + exercise.title + "\n  " + exercise.about + "\n";
    }
    return text;
}

// Prints each mistake of the exercise's file on a line.
Error report_exercise(const ExerciseReading& reading, const std::filesystem::path& file) {
    const auto sentence = [&](const FileMistake& mistake) {
        return file.filename().string() +
               (mistake.line > 0 ? ", line " + std::to_string(mistake.line) : "") + ": " +
               mistake.sentence;
    };
    for (std::size_t i = 0; i + 1 < reading.mistakes.size(); ++i)
        report_error("tilereel grade", sentence(reading.mistakes[i]), ErrorKind::kFailed);
    return failed(sentence(reading.mistakes.back()));
}

Status write_file(const std::string& path, const std::string& text) {
    if (path.empty()) return Done{};
    return replace_file(path, std::as_bytes(std::span(text)));
}

// The fault is not the submission's: an autograder must not take it for a grade.
Error unable(Error error) {
    if (error.kind == ErrorKind::kFailed) error.kind = ErrorKind::kUnable;
    return error;
}

}  // namespace

void GradeCommand::add_to(CLI::App& app) {
    app.add_option("FILE", file,
                   "The submission, a CUDA file; without one, the exercises that ship are listed")
        ->type_name("");
    app.add_option("--exercise", exercise,
                   "The exercise: a file (.toml), or the name of one that ships")
        ->type_name("NAME");
    app.add_option("--require", requirements,
                   "A check, such as 'shared.bank_conflicts == 0'; without --exercise, of all "
                   "launches of the program's own main()")
        ->type_name("CHECK")
        ->allow_extra_args(false);
    add_whole_option(app, "--seed", seed, 0, std::numeric_limits<std::int64_t>::max(),
                     "Draws sizes and inputs as in the check that printed this seed (default: "
                     "anew)");
    add_whole_option(app, "--runs", runs, 1, 20, "Sizes to check an exercise at (default 3)");
    add_whole_option(app, "--seconds", seconds, 1, 3600,
                     "Stop a run after so many seconds without progress (default 10)");
    app.add_flag("--trust", trusted,
                 "Run it without a sandbox, with your rights: for your own work, or where there is "
                 "no bubblewrap");
    app.add_flag("--all", all, "List all findings, not only the first");
    app.add_flag("--json", json, "Print JSON");
    add_file_option(app, "--junit", junit, "JUnit XML to write");
    add_file_option(app, "--gradescope", gradescope, "Gradescope's results.json to write");
}

Result<GradeRequest> GradeCommand::request() const {
    GradeRequest made{.submission = file, .exercise = std::nullopt};
    std::vector<std::string> outputs, sizes;
    if (!exercise.empty()) {
        const auto path = find_shipped("exercises", exercise);
        if (!path)
            return wrong_call("there is no exercise '" + exercise +
                              "'; 'tilereel grade' lists those that ship");
        ExerciseReading reading = read_exercise(*path);
        if (!reading.mistakes.empty()) return unable(report_exercise(reading, *path));
        made.exercise = std::move(reading.exercise);
        outputs = names_of(*made.exercise, ExerciseParameter::Role::kOutput);
        sizes = names_of(*made.exercise, ExerciseParameter::Role::kSize);
    } else if (requirements.empty()) {
        return wrong_call("name what to check: --exercise NAME, or --require CHECK");
    } else if (runs || seed) {
        return wrong_call("--seed and --runs draw the sizes of an exercise; leave them out");
    }
    for (const std::string& words : requirements) {
        Result<Requirement> each = requirement_of_words(words, outputs, sizes);
        if (!each) return wrong_call("--require: " + each.error().message);
        if (each->kind == Requirement::Kind::kFewer && !made.exercise)
            return wrong_call("--require: only an exercise has a file that was handed out");
        made.requirements.push_back(*std::move(each));
    }
    if (runs) made.runs = static_cast<unsigned>(*runs);
    if (seconds) made.seconds = *seconds;
    made.trusted = trusted;
    constexpr std::uint64_t kFewDigits = 1'000'000'000;
    made.seed = seed ? *seed : std::random_device()() % kFewDigits;
    return made;
}

Result<std::string> GradeCommand::run() const {
    if (file.empty()) {
        if (!exercise.empty() || !requirements.empty()) return wrong_call("name the file to grade");
        return listed_exercises();
    }
    TRY(kind_of_file(file, "this command", {FileKind::kProgram}));
    // The compiler's messages quote the file: a link could lead to any file of the grader's.
    std::error_code unknown;
    if (!trusted && std::filesystem::is_symlink(file, unknown))
        return wrong_call(file + " is a link; grade the file that it leads to, or use --trust");
    if (const std::string why = program::why_not_watched(); !why.empty())
        return unable(failed(why));
    GradeRequest wanted = TRY(request());
    if (const std::string& why = program::why_no_sandbox(); !trusted && !why.empty())
        return unable(failed(why + "; with --trust, the file runs with your rights"));
    const InterruptFlag interrupt;
    wanted.stop = &interrupt.flag();
    const Result<Grade> graded = grade(wanted);
    if (!graded) return unable(graded.error());
    const Grade& result = *graded;
    const GradedWork work{.file = file,
                          .title = wanted.exercise ? wanted.exercise->title : "",
                          .seed = wanted.seed,
                          .grade = result,
                          .all_findings = all};
    TRY(write_file(junit, grade_junit(work)));
    TRY(write_file(gradescope, grade_gradescope(work)));
    const std::string text = json ? grade_json(work) : grade_text(work);
    if (result.all_passed()) return text;
    TRY(print_out(text));
    return failed(std::to_string(result.checks.size() - result.passed()) +
                  (result.checks.size() - result.passed() == 1 ? " check" : " checks") +
                  " did not pass");
}

}  // namespace tilereel
