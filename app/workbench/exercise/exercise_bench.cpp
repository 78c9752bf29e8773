#include "app/workbench/exercise/exercise_bench.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

#include "app/exercise/learner_copy.h"
#include "app/exercise/read_exercise.h"
#include "app/lesson/read_lesson.h"
#include "app/workbench/program/compile_error_line.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/base/format/time_of_day.h"
#include "instrumentation/program/stranger.h"

namespace tilereel {
namespace {

using Clock = std::chrono::steady_clock;

ExerciseRow row_of(const CheckResult& check) {
    using State = ExerciseRow::State;
    const State state = check.state == CheckResult::State::kPassed   ? State::kPassed
                        : check.state == CheckResult::State::kFailed ? State::kFailed
                                                                     : State::kNotJudged;
    return {.words = check.words,
            .sentence = check.what.empty() ? check.sentence : check.what,
            .counted = check.counted,
            .wanted = check.wanted,
            .where = check.where,
            .line = check.line,
            .state = state,
            .counter = check.counter,
            .run = check.run,
            .advice = check.advice};
}

// `text`: of the copy.
ExerciseRow row_of(const Refusal& refusal, std::size_t run, const std::string& text) {
    // The compiler notices a missing semicolon at the next word.
    const program::CompileError error{
        .file = {}, .line = refusal.line, .column = refusal.column, .message = refusal.sentence};
    const std::uint32_t line = refusal.line == 0 ? 0 : line_to_mend(text, error);
    return {.words = line == 0 ? "It does not run" : "Line " + std::to_string(line),
            .sentence = line == refusal.line
                            ? (refusal.what.empty() ? refusal.sentence : refusal.what)
                            : "a ';' is missing at its end; the compiler noticed it on line " +
                                  std::to_string(refusal.line),
            .counted = {},
            .wanted = {},
            .line = line,
            .state = ExerciseRow::State::kFailed,
            .run = run,
            .advice = refusal.advice};
}

std::uint64_t drawn_seed() {
    constexpr std::uint64_t kFewDigits = 1'000'000'000;
    return std::random_device()() % kFewDigits;
}

}  // namespace

// Work of the thread, shared with it.
struct ExerciseBench::Outcome {
    std::atomic<bool> cancel{false}, done{false};
    Clock::time_point begun = Clock::now();
    double seconds = 0;
    std::string begun_at = time_of_day();
    // Results; read after `done`. One of them is set.
    std::optional<Result<Grade>> grade;
    std::optional<Result<CheckMoment>> moment;
};

std::size_t OpenedExercise::passed() const {
    return static_cast<std::size_t>(
        std::ranges::count(rows, ExerciseRow::State::kPassed, &ExerciseRow::state));
}

bool OpenedExercise::shows_advice() const {
    return std::ranges::any_of(rows, &ExerciseRow::shows_advice);
}

bool OpenedExercise::offers_advice() const {
    return chosen && *chosen < rows.size() && !rows[*chosen].advice.empty() &&
           !rows[*chosen].shows_advice;
}

ExerciseBench::ExerciseBench(ExerciseBenchOptions options)
    : options_(std::move(options)),
      offered_(options_.offered),
      progress_(read_exercise_progress(options_.progress)),
      thread_(options_.on_thread) {
    if (!options_.grade) options_.grade = tilereel::grade;
}

ExerciseBench::~ExerciseBench() { close(); }

void ExerciseBench::open(const std::filesystem::path& file, std::filesystem::path copy) {
    // The next exercise's copy lies beside this one's.
    const std::filesystem::path beside =
        opened_ ? opened_->copy.parent_path() : std::filesystem::path();
    close();
    ExerciseReading reading = read_exercise(file);
    opened_.emplace();
    opened_->file = file;
    opened_->exercise = std::move(reading.exercise);
    opened_->mistakes = std::move(reading.mistakes);
    opened_->seed = options_.seed ? *options_.seed : drawn_seed();
    shared_ = std::make_shared<SharedWork>();
    if (!opened_->mistakes.empty()) return;
    if (!opened_->exercise.lesson.empty())
        opened_->lesson_title = read_lesson(opened_->exercise.lesson).lesson.title;
    const auto known = progress_.find(progress_name(file));
    const ExerciseRecord record = known == progress_.end() ? ExerciseRecord{} : known->second;
    opened_->hints = std::min(record.hints, opened_->exercise.hints.size());
    opened_->passed_before = record.passed;
    std::error_code missing;
    if (copy.empty() && std::filesystem::is_regular_file(record.copy, missing)) copy = record.copy;
    if (copy.empty())
        copy = (!beside.empty()            ? beside
                : !options_.folder.empty() ? options_.folder
                                           : learner_folder()) /
               (opened_->name() + ".cu");
    opened_->copy = std::filesystem::absolute(copy, missing).lexically_normal();
    if (const Status made = make_learner_copy(opened_->exercise, opened_->copy); !made) {
        opened_->problem = made.error().message;
        return;
    }
    keep();
    judge();
}

void ExerciseBench::judge() {
    if (!opened_ || !opened_->mistakes.empty()) return;
    if (outcome_) outcome_->cancel = true;
    outcome_ = std::make_shared<Outcome>();
    opened_->judging = true;
    GradeRequest request{.submission = opened_->copy,
                         .exercise = opened_->exercise,
                         .seed = opened_->seed,
                         .shared = shared_,
                         .keeps_recordings = true,
                         .tells_changes = true};
    thread_.submit([request = std::move(request), outcome = outcome_, judges = options_.grade] {
        GradeRequest with_stop = request;
        with_stop.stop = &outcome->cancel;
        // One's own work needs no sandbox; where there is one, it runs as it does at a lecturer's.
        with_stop.trusted = !program::why_no_sandbox().empty();
        outcome->grade = judges(with_stop);
        outcome->seconds = std::chrono::duration<double>(Clock::now() - outcome->begun).count();
        outcome->done = true;
    });
}

void ExerciseBench::close() {
    if (outcome_) outcome_->cancel = true;
    outcome_.reset();
    grade_.reset();
    moment_.reset();
    shown_.reset();
    opened_.reset();
}

void ExerciseBench::open_advice(std::size_t row) {
    if (!opened_ || row >= opened_->rows.size()) return;
    // Several checks may name one finding.
    const std::string advice = opened_->rows[row].advice;
    for (ExerciseRow& each : opened_->rows)
        if (each.advice == advice) each.shows_advice = true;
    if (opened_->chosen != row) choose(row);
}

void ExerciseBench::open_hint() {
    if (!opened_ || opened_->hints >= opened_->exercise.hints.size()) return;
    ++opened_->hints;
    keep();
}

void ExerciseBench::choose(std::size_t row) {
    if (!opened_ || row >= opened_->rows.size()) return;
    opened_->chosen = row;
    opened_->chosen_by_user = true;
    opened_->moment_problem.clear();
    // A judgement that is under way shows its own moment.
    if (!opened_->judging) find_moment(row);
}

void ExerciseBench::find_moment(std::size_t row) {
    const ExerciseRow& wanted = opened_->rows[row];
    if (grade_ == nullptr || grade_->recordings.empty()) return;
    const std::size_t run = std::min(wanted.run, grade_->recordings.size() - 1);
    if (run < grade_->sizes.size()) opened_->sizes = sizes_text(grade_->sizes[run]);
    outcome_ = std::make_shared<Outcome>();
    thread_.submit(
        [outcome = outcome_, grade = grade_, run, line = wanted.line, counter = wanted.counter] {
            outcome->moment = moment_of_check(grade->recordings[run], line, counter);
            outcome->done = true;
        });
}

void ExerciseBench::take_grade(Result<Grade> judged) {
    OpenedExercise& opened = *opened_;
    opened.judging = opened.refused = false;
    opened.problem.clear();
    opened.moment_problem.clear();
    if (!judged) {
        opened.problem = judged.error().message;
        return;
    }
    grade_ = std::make_shared<const Grade>(std::move(judged).value());
    const std::size_t last = grade_->recordings.empty() ? 0 : grade_->recordings.size() - 1;
    opened.refused = !grade_->refusals.empty();
    const std::vector<ExerciseRow> before = std::exchange(opened.rows, {});
    opened.shows_former = grade_->recordings.empty() && shown_;
    const Result<std::string> text = read_source(opened.copy);
    for (const Refusal& refusal : grade_->refusals)
        opened.rows.push_back(row_of(refusal, last, text ? *text : std::string()));
    if (!opened.refused)
        for (const CheckResult& check : grade_->checks) opened.rows.push_back(row_of(check));
    // Advice that the learner has opened stays open.
    for (ExerciseRow& row : opened.rows)
        row.shows_advice = std::ranges::any_of(before, [&row](const ExerciseRow& former) {
            return former.shows_advice && former.advice == row.advice;
        });
    opened.changes = grade_->changes;
    ++opened.verdicts;
    opened.points = grade_->points();
    opened.most_points = grade_->most_points();
    if (opened.all_passed()) opened.passed_before = true;
    keep();
    const auto failed_row =
        std::ranges::find(opened.rows, ExerciseRow::State::kFailed, &ExerciseRow::state);
    const auto shown = failed_row == opened.rows.end() ? opened.rows.begin() : failed_row;
    opened.chosen.reset();
    opened.chosen_by_user = false;
    if (shown == opened.rows.end()) return;
    opened.chosen = static_cast<std::size_t>(shown - opened.rows.begin());
    find_moment(*opened.chosen);
}

bool ExerciseBench::advance() {
    if (!outcome_ || !outcome_->done) return false;
    const std::shared_ptr<Outcome> done = std::exchange(outcome_, nullptr);
    if (done->grade) {
        opened_->judged_at = done->begun_at;
        opened_->seconds = done->seconds;
        take_grade(*std::move(done->grade));
        // Without a thread the moment is there already.
        if (!options_.on_thread) advance();
        return true;
    }
    if (*done->moment)
        moment_ = shown_ = std::move(*done->moment).value();
    else
        opened_->moment_problem = done->moment->error().message;
    return true;
}

std::optional<CheckMoment> ExerciseBench::take_moment() {
    return std::exchange(moment_, std::nullopt);
}

bool ExerciseBench::busy() const { return outcome_ != nullptr; }

std::optional<std::size_t> ExerciseBench::number() const {
    if (!opened_) return std::nullopt;
    const auto found = std::ranges::find(offered_, opened_->file);
    if (found == offered_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - offered_.begin());
}

std::optional<std::filesystem::path> ExerciseBench::beside(int by) const {
    const std::optional<std::size_t> now = number();
    if (!now) return std::nullopt;
    const std::size_t wanted = *now + static_cast<std::size_t>(by);
    if (wanted >= offered_.size()) return std::nullopt;  // also below 0
    return offered_[wanted];
}

// Progress is a convenience: a failed write is not reported.
void ExerciseBench::keep() {
    const ExerciseRecord record{
        .passed = opened_->passed_before, .hints = opened_->hints, .copy = opened_->copy};
    // Another window may have written meanwhile.
    if (!options_.progress.empty()) progress_ = read_exercise_progress(options_.progress);
    ExerciseRecord& known = progress_[progress_name(opened_->file)];
    if (known == record) return;
    known = record;
    if (!options_.progress.empty())
        static_cast<void>(write_exercise_progress(progress_, options_.progress));
}

}  // namespace tilereel
