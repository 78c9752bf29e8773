#include "app/exercise/grade.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/exercise/changes.h"
#include "app/exercise/harness.h"
#include "app/exercise/submission/submission.h"
#include "app/exercise/submission/submission_text.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/program/program.h"
#include "instrumentation/program/stranger.h"

namespace tilereel {
namespace {

using program::CompileError;
using program::ProgramRequest;

bool compares(const Requirement& requirement) {
    return requirement.kind == Requirement::Kind::kFewer;
}

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

// The runs of the file that was handed out, or why it cannot run.
struct HandedOut {
    std::vector<RunFacts> runs;
    std::string fails{};
};

// `submitted`: the text of the submission, whose runs are at hand. Fails if it remains unknown what
// the file does: no grade may depend on how busy the computer is.
Result<HandedOut> runs_of_handed_out(const GradeRequest& request,
                                     const std::vector<NamedNumbers>& sizes,
                                     const std::string& submitted,
                                     const std::vector<RunFacts>& submitted_runs) {
    const Exercise& exercise = *request.exercise;
    SharedWork& shared = *request.shared;
    {
        const std::lock_guard lock(shared.mutex);
        if (!shared.handed_out.empty() || !shared.handed_out_fails.empty())
            return HandedOut{shared.handed_out, shared.handed_out_fails};
    }
    const auto keep = [&shared](HandedOut found) {
        const std::lock_guard lock(shared.mutex);
        shared.handed_out = found.runs;
        shared.handed_out_fails = found.fails;
        return found;
    };
    const auto cannot = [&](const std::string& why) {
        return keep({{}, exercise.handed_out.string() + " cannot be checked: " + why});
    };
    const Result<std::string> text = read_source(exercise.handed_out);
    if (!text) return cannot(text.error().message);
    if (*text == submitted && !submitted_runs.empty()) return keep({submitted_runs});
    const Submission original = TRY(Submission::build(request, *text, "handed_out.cu"));
    if (original.was_late())
        return failed(exercise.handed_out.string() +
                      ", the file that is handed out, was not compiled in time: leave out what "
                      "takes the compiler so long, or grade on a computer that is less busy");
    if (const std::vector<Refusal> refusals = original.refusals(exercise); !refusals.empty())
        return cannot(refusals.front().sentence);
    std::vector<RunFacts> runs = TRY(run_all(original, request, sizes));
    const RunFacts& last = runs.back();
    if (request.stop != nullptr && *request.stop) return failed("Cancelled.");
    if (last.is_late)
        return failed(exercise.handed_out.string() +
                      ", the file that is handed out, did not end in time (" +
                      sizes_text(last.sizes) +
                      "): give it more time with --seconds, or hand out a file that ends");
    if (!last.problem.sentence.empty()) return cannot(last.problem.sentence);
    return keep({std::move(runs)});
}

// Makes conditions of the checks that hold for the file that was handed out, unless all of them do.
// Where it cannot run, none of them holds.
Status find_conditions(const GradeRequest& request, const std::vector<Requirement>& requirements,
                       const std::string& submitted, const std::vector<RunFacts>& submitted_runs,
                       Grade& grade) {
    const HandedOut handed_out =
        TRY(runs_of_handed_out(request, grade.sizes, submitted, submitted_runs));
    if (!handed_out.fails.empty()) return Done{};
    Grade before;
    judge_all(requirements, handed_out.runs, handed_out.runs, before);
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
    const bool taken = name == kHarnessFile || !name.ends_with(".cu") || name.starts_with('-');
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
        const std::string sizes = " (" + sizes_text(runs.back().sizes) + ")";
        refuse(requirements,
               {{problem.sentence + sizes, problem.line, 0, Refusal::Cause::kStopped,
                 problem.what.empty() ? "" : problem.what + sizes, problem.advice}},
               grade);
        TRY(find_conditions(request, requirements, text, {}, grade));
        return grade;
    }
    const HandedOut before = TRY(runs_of_handed_out(request, grade.sizes, text, runs));
    if (!before.fails.empty() && std::ranges::any_of(requirements, compares))
        return failed(before.fails);
    judge_all(requirements, runs, before.runs, grade);
    TRY(find_conditions(request, requirements, text, runs, grade));
    // A file that was handed out may not run at all: then there is nothing to compare with.
    if (request.tells_changes && grade.all_passed() && before.fails.empty())
        grade.changes = changes_text(before.runs, runs);
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
    if (const std::string why = program::why_not_watched(); !why.empty()) return failed(why);
    if (!request.exercise) return grade_program(request);
    const Result<std::string> text = read_source(request.submission);
    if (!text) return wrong_call(text.error().message);
    return grade_exercise(request, *text);
}

}  // namespace tilereel
