#include "app/exercise/grade.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

#include "app/exercise/changes.h"
#include "app/exercise/harness.h"
#include "app/exercise/run_facts.h"
#include "app/exercise/submission_text.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/program/build_object.h"
#include "instrumentation/program/program.h"
#include "instrumentation/program/stranger.h"

namespace tilereel {
namespace {

using program::BuiltProgram;
using program::CompileError;
using program::ProgramRequest;

constexpr const char* kHarness = "tilereel_check.cu";
constexpr double kWholeRun = 3;  // times the time without progress
constexpr const char* kTooMuchMemory =
    "The program was stopped: it used more than 2 GiB of memory; give it less to do.";

ProgramRequest limited_request(const GradeRequest& of) {
    ProgramRequest request;
    request.limits.seconds = of.seconds;
    request.limits.whole_seconds = kWholeRun * of.seconds;
    request.limits.memory_bytes = std::uint64_t{2} << 30;
    request.limits.file_bytes = std::uint64_t{256} << 20;
    request.limits.processes = 16;
    request.limits.output_bytes = 64 << 10;
    request.limits.accesses_a_launch = request.limits.accesses_of_sample = 8 << 20;
    request.limits.accesses = 16 << 20;
    request.limits.compile_seconds = 60;
    request.keeps_assignments = false;
    request.in_sandbox = !of.trusted;
    return request;
}

bool compares(const Requirement& requirement) {
    return requirement.kind == Requirement::Kind::kFewer;
}

// The object of the exercise's harness. Fails if the exercise's own C++ does not compile.
Result<std::filesystem::path> harness_of(const GradeRequest& request) {
    SharedWork& shared = *request.shared;
    const std::lock_guard lock(shared.mutex);
    if (shared.harness) return shared.harness->program;
    const auto folder = TRY(program::temporary_folder());
    ProgramRequest harness = limited_request(request);
    harness.file = *folder / kHarness;
    TRY(write_text(harness.file, harness_text(*request.exercise)));
    program::ProgramProgress progress;
    if (request.stop != nullptr) progress.stop = request.stop;
    BuiltProgram built = TRY(program::build_object(harness, &progress));
    if (!built.errors.empty()) {
        const CompileError& error = built.errors.front();
        return failed(std::filesystem::path(error.file).filename().string() + ", line " +
                      std::to_string(error.line) + ": " + error.message);
    }
    shared.harness = std::move(built);
    return shared.harness->program;
}

// The next run of the same program overwrites its recordings: they go to a folder of their own.
Result<program::ProgramRun> with_own_folder(program::ProgramRun run) {
    run.folder = TRY(program::temporary_folder());
    for (program::LaunchSummary& launch : run.launches) {
        if (launch.trace.empty()) continue;
        const std::filesystem::path own = *run.folder / launch.trace.filename();
        std::error_code moved;
        std::filesystem::rename(launch.trace, own, moved);
        launch.trace = moved ? std::filesystem::path() : own;
    }
    return run;
}

// Whether the recorder failed because it met a limit of the check, which a learner cannot raise.
bool met_a_limit(const Error& error) {
    return error.message.starts_with("the recorder failed: ") &&
           error.message.find("raise") != std::string::npos;
}

// By its first words the compiler's plugin says that a rule is broken, not the language.
Refusal refusal_of(const CompileError& error, std::uint32_t line, std::uint32_t column) {
    constexpr std::string_view kRule = "not accepted: ";
    if (error.message.starts_with(kRule)) return {error.message.substr(kRule.size()), line, column};
    const bool of_sandbox = error.message.find(program::kIncludesInSandbox) != std::string::npos;
    return {error.message, line, column,
            of_sandbox ? Refusal::Cause::kRule : Refusal::Cause::kCompiler};
}

// The text of a submission, compiled with the harness of an exercise.
class Submission {
  public:
    // `name`: of the file in messages.
    static Result<Submission> build(const GradeRequest& request, const std::string& text,
                                    const std::string& name) {
        Submission made;
        made.folder_ = TRY(program::temporary_folder());
        const std::filesystem::path file = *made.folder_ / name;
        TRY(write_text(file, text));
        made.request_ = limited_request(request);
        made.request_.file = file;
        made.request_.more_files = {TRY(harness_of(request))};
        // What has no value has no lucky value: a sum that is not set to 0 gives a wrong result.
        made.request_.compiler_flags = {std::string("-Dmain=") + kOtherMain,
                                        "-ftrivial-auto-var-init=pattern",
                                        "-fplugin-arg-plugin-submission=" + file.string()};
        program::ProgramProgress progress;
        if (request.stop != nullptr) progress.stop = request.stop;
        made.built_ = TRY(program::build_program(made.request_, &progress));
        return made;
    }

    // Why it cannot run; empty: it can.
    [[nodiscard]] std::vector<Refusal> refusals(const Exercise& exercise) const {
        std::vector<Refusal> found;
        for (const CompileError& error : built_.errors) {
            const bool own = error.file == request_.file.string() && error.line > 0;
            if (error.missing.starts_with(exercise.function_name + "("))
                found.push_back(missing_function(exercise));
            else if (!own || std::ranges::count(found, error.line, &Refusal::line) == 0)
                found.push_back(refusal_of(error, own ? error.line : 0, own ? error.column : 0));
        }
        return found;
    }

    // `kept`: receives the run with its recordings; may be null.
    [[nodiscard]] Result<RunFacts> run(const GradeRequest& grade, const NamedNumbers& sizes,
                                       unsigned number,
                                       std::vector<program::ProgramRun>* kept) const {
        Result<program::ProgramRun> ran = run_program_of(grade, sizes, number);
        if (!ran && met_a_limit(ran.error())) {
            RunFacts none;
            none.problem.sentence = kTooMuchMemory;
            none.sizes = sizes;
            return none;
        }
        program::ProgramRun run = TRY(std::move(ran));
        if (!ended_well(run)) TRY(blame_exercise(grade, sizes, number));
        RunFacts facts = facts_of_run(run, &*grade.exercise);
        facts.sizes = sizes;
        if (kept != nullptr) kept->push_back(TRY(with_own_folder(std::move(run))));
        return facts;
    }

  private:
    // The exercise's function cannot be called: it is hidden, or there is none.
    [[nodiscard]] Refusal missing_function(const Exercise& exercise) const {
        const auto text = read_source(request_.file);
        const auto hidden = text ? hidden_function(*text, exercise.function_name) : std::nullopt;
        if (hidden) return {hidden->sentence, static_cast<std::uint32_t>(hidden->line)};
        return {"there is no function " + exercise.function + "; write it with these parameters"};
    }
    [[nodiscard]] Result<program::ProgramRun> run_program_of(const GradeRequest& grade,
                                                             const NamedNumbers& sizes,
                                                             unsigned number) const {
        ProgramRequest request = request_;
        request.arguments = harness_arguments(*grade.exercise, sizes, grade.seed, number);
        program::ProgramProgress progress;
        if (grade.stop != nullptr) progress.stop = grade.stop;
        return program::run_built(built_, request, &progress);
    }
    static bool ended_well(const program::ProgramRun& run) {
        return run.end == program::ProgramEnd::kCancelled ||
               (run.end == program::ProgramEnd::kExit && run.exit_code == 0);
    }
    // Fails if the check does not end well with a function that does nothing, either: then the
    // exercise's reference or its arrays are at fault, and not what was handed in.
    static Status blame_exercise(const GradeRequest& grade, const NamedNumbers& sizes,
                                 unsigned number) {
        const Exercise& exercise = *grade.exercise;
        std::string function = exercise.function;
        if (function.ends_with(';')) function.pop_back();
        const Submission idle =
            TRY(build(grade, "#include <cuda_runtime.h>\n" + function + " {}\n", "idle.cu"));
        if (!idle.built_.errors.empty()) return Done{};
        const auto run = idle.run_program_of(grade, sizes, number);
        if (!run || ended_well(*run)) return Done{};
        return failed(exercise.file.filename().string() + ", line " +
                      std::to_string(exercise.reference_line) +
                      ": the reference cannot be computed (" + sizes_text(sizes) +
                      "): " + run->end_sentence);
    }

    std::shared_ptr<const std::filesystem::path> folder_;
    ProgramRequest request_;
    BuiltProgram built_;
};

std::vector<Requirement> all_requirements(const GradeRequest& request) {
    std::vector<Requirement> all;
    if (request.exercise) all = request.exercise->checks;
    all.insert(all.end(), request.requirements.begin(), request.requirements.end());
    return all;
}

void list_unjudged(const std::vector<Requirement>& requirements, Grade& grade) {
    for (const Requirement& each : requirements)
        grade.checks.push_back({.state = CheckResult::State::kNotJudged,
                                .words = each.words,
                                .sentence = "not judged",
                                .points = each.points});
}

// Wrong results cost less than right ones, so nothing else counts while an output is wrong.
void judge_all(const std::vector<Requirement>& requirements, const std::vector<RunFacts>& runs,
               const std::vector<RunFacts>& handed_out, Grade& grade) {
    std::string wrong;
    for (const Requirement& each : requirements) {
        grade.checks.push_back(judge(each, runs, handed_out));
        if (each.kind == Requirement::Kind::kRight && wrong.empty() &&
            grade.checks.back().state == CheckResult::State::kFailed)
            wrong = each.name;
    }
    if (wrong.empty()) return;
    for (std::size_t i = 0; i < requirements.size(); ++i) {
        CheckResult& check = grade.checks[i];
        if (requirements[i].kind == Requirement::Kind::kRight ||
            check.state != CheckResult::State::kPassed)
            continue;
        check.state = CheckResult::State::kNotJudged;
        check.sentence = "not judged, because " + wrong + " is not right";
    }
}

void refuse(const std::vector<Requirement>& requirements, std::vector<Refusal> refusals,
            Grade& grade) {
    grade.refusals = std::move(refusals);
    list_unjudged(requirements, grade);
}

// `kept`: as in Submission::run().
Result<std::vector<RunFacts>> run_all(const Submission& submission, const GradeRequest& request,
                                      const std::vector<NamedNumbers>& sizes,
                                      std::vector<program::ProgramRun>* kept = nullptr) {
    std::vector<RunFacts> runs;
    for (unsigned i = 0; i < sizes.size(); ++i) {
        runs.push_back(TRY(submission.run(request, sizes[i], i, kept)));
        if (!runs.back().problem.sentence.empty()) break;
    }
    return runs;
}

// `submitted`: the text of the submission, whose runs are at hand.
Result<std::vector<RunFacts>> runs_of_handed_out(const GradeRequest& request,
                                                 const std::vector<NamedNumbers>& sizes,
                                                 const std::string& submitted,
                                                 const std::vector<RunFacts>& submitted_runs) {
    const Exercise& exercise = *request.exercise;
    SharedWork& shared = *request.shared;
    {
        const std::lock_guard lock(shared.mutex);
        if (!shared.handed_out.empty()) return shared.handed_out;
        if (!shared.handed_out_fails.empty()) return failed(shared.handed_out_fails);
    }
    const auto cannot = [&](const std::string& why) {
        const std::lock_guard lock(shared.mutex);
        shared.handed_out_fails = exercise.handed_out.string() + " cannot be checked: " + why;
        return failed(shared.handed_out_fails);
    };
    const std::string text = TRY(read_source(exercise.handed_out));
    if (text == submitted && !submitted_runs.empty()) {
        const std::lock_guard lock(shared.mutex);
        return shared.handed_out = submitted_runs;
    }
    const Submission original = TRY(Submission::build(request, text, "handed_out.cu"));
    if (const std::vector<Refusal> refusals = original.refusals(exercise); !refusals.empty())
        return cannot(refusals.front().sentence);
    std::vector<RunFacts> runs = TRY(run_all(original, request, sizes));
    if (!runs.back().problem.sentence.empty()) return cannot(runs.back().problem.sentence);
    const std::lock_guard lock(shared.mutex);
    return shared.handed_out = std::move(runs);
}

// Makes conditions of the checks that hold for the file that was handed out, unless all of them do.
// Where it cannot run, none of them holds. Fails only if the grade was cancelled.
Status find_conditions(const GradeRequest& request, const std::vector<Requirement>& requirements,
                       const std::string& submitted, const std::vector<RunFacts>& submitted_runs,
                       Grade& grade) {
    const auto runs = runs_of_handed_out(request, grade.sizes, submitted, submitted_runs);
    if (!runs && request.stop != nullptr && *request.stop) return runs.error();
    if (!runs) return Done{};
    Grade before;
    judge_all(requirements, *runs, *runs, before);
    if (before.all_passed()) return Done{};
    for (std::size_t i = 0; i < grade.checks.size(); ++i)
        if (before.checks[i].state == CheckResult::State::kPassed) grade.checks[i].points = 0;
    return Done{};
}

// The file's name in messages and recordings. One that a compiler's messages could not hold, and
// any other name where only the grade is wanted, is a plain one.
std::string name_of(const GradeRequest& request) {
    const std::string name = request.submission.filename().string();
    const bool plain = std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
    });
    const bool taken = name == kHarness || !name.ends_with(".cu") || name.starts_with('-');
    return request.keeps_recordings && plain && !taken ? name : "submission.cu";
}

Result<Grade> grade_exercise(const GradeRequest& request, const std::string& text) {
    const Exercise& exercise = *request.exercise;
    const std::vector<Requirement> requirements = all_requirements(request);
    Grade grade;
    for (unsigned i = 0; i < request.runs; ++i)
        grade.sizes.push_back(drawn_sizes(exercise, request.seed, i));
    if (const std::vector<FileMistake> mistakes = check_submission_text(text); !mistakes.empty()) {
        std::vector<Refusal> refusals;
        for (const FileMistake& each : mistakes)
            refusals.push_back({each.sentence, static_cast<std::uint32_t>(each.line)});
        refuse(requirements, std::move(refusals), grade);
        TRY(find_conditions(request, requirements, text, {}, grade));
        return grade;
    }
    const Submission submission = TRY(Submission::build(request, text, name_of(request)));
    if (std::vector<Refusal> refusals = submission.refusals(exercise); !refusals.empty()) {
        refuse(requirements, std::move(refusals), grade);
        TRY(find_conditions(request, requirements, text, {}, grade));
        return grade;
    }
    const std::vector<RunFacts> runs = TRY(run_all(
        submission, request, grade.sizes, request.keeps_recordings ? &grade.recordings : nullptr));
    if (const FindingFacts& problem = runs.back().problem; !problem.sentence.empty()) {
        refuse(requirements,
               {{problem.sentence + " (" + sizes_text(runs.back().sizes) + ")", problem.line, 0,
                 Refusal::Cause::kStopped}},
               grade);
        TRY(find_conditions(request, requirements, text, {}, grade));
        return grade;
    }
    std::vector<RunFacts> handed_out;
    if (std::ranges::any_of(requirements, compares))
        handed_out = TRY(runs_of_handed_out(request, grade.sizes, text, runs));
    judge_all(requirements, runs, handed_out, grade);
    TRY(find_conditions(request, requirements, text, runs, grade));
    if (request.tells_changes && grade.all_passed()) {
        // A file that was handed out may not run at all: then there is nothing to compare with.
        if (const auto before = runs_of_handed_out(request, grade.sizes, text, runs))
            grade.changes = changes_text(*before, runs);
    }
    return grade;
}

// A program with a main() of its own, which chooses its sizes itself.
Result<Grade> grade_program(const GradeRequest& request) {
    Grade grade;
    ProgramRequest program = limited_request(request);
    program.file = request.submission;
    program::ProgramProgress progress;
    if (request.stop != nullptr) progress.stop = request.stop;
    const Result<program::ProgramRun> ran = program::run_program(program, &progress);
    if (!ran && met_a_limit(ran.error())) {
        refuse(request.requirements, {{kTooMuchMemory, 0, 0, Refusal::Cause::kStopped}}, grade);
        return grade;
    }
    if (!ran) return ran.error();
    const program::ProgramRun& run = *ran;
    if (!run.compile_errors.empty()) {
        std::vector<Refusal> refusals;
        for (const CompileError& error : run.compile_errors)
            refusals.push_back(refusal_of(error, error.line, error.column));
        refuse(request.requirements, std::move(refusals), grade);
        return grade;
    }
    const RunFacts facts = facts_of_run(run, nullptr);
    if (!facts.problem.sentence.empty())
        refuse(request.requirements,
               {{facts.problem.sentence, facts.problem.line, 0, Refusal::Cause::kStopped}}, grade);
    else
        judge_all(request.requirements, {facts}, {}, grade);
    return grade;
}

}  // namespace

std::size_t Grade::passed() const {
    return static_cast<std::size_t>(
        std::ranges::count(checks, CheckResult::State::kPassed, &CheckResult::state));
}

int Grade::points(const CheckResult& check) const {
    const bool earns = std::ranges::all_of(checks, [](const CheckResult& each) {
        return each.points > 0 || each.state == CheckResult::State::kPassed;
    });
    return earns && check.state == CheckResult::State::kPassed ? check.points : 0;
}

int Grade::points() const {
    int sum = 0;
    for (const CheckResult& each : checks) sum += points(each);
    return sum;
}

int Grade::most_points() const {
    int sum = 0;
    for (const CheckResult& each : checks) sum += each.points;
    return sum;
}

Result<Grade> grade(const GradeRequest& request) {
    if (!request.exercise) return grade_program(request);
    const Result<std::string> text = read_source(request.submission);
    if (!text) return wrong_call(text.error().message);
    return grade_exercise(request, *text);
}

}  // namespace tilereel
