#pragma once
// The exercise that is open in the window: the learner's copy of its file, which is judged on a
// thread of its own, and the moment of the judged run that is shown. It does not depend on drawing.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/exercise/check_moment.h"
#include "app/exercise/grade.h"
#include "app/exercise/progress.h"
#include "app/workbench/task_thread.h"

namespace tilereel {

struct ExerciseBenchOptions {
    bool on_thread = true;  // false: open() and judge() finish before they return
    std::vector<std::filesystem::path> offered{};  // exercises in the list, in this order
    std::filesystem::path folder{};                // of new copies; empty: learner_folder()
    std::filesystem::path progress{};              // its file; empty: no progress is kept
    std::function<Result<Grade>(const GradeRequest&)> grade{};  // empty: grade()
    std::optional<std::uint64_t> seed{};                        // nullopt: drawn at each open()
};

// What is judged: a check or, if nothing was judged, the reason.
struct ExerciseRow {
    std::string words, sentence;
    std::string counted, wanted;  // of a check that counts: "31,744", "should be 0"
    std::string where{};          // CheckResult::where
    std::uint32_t line = 0;       // of the copy; 0: none
    enum class State : std::uint8_t { kPassed, kFailed, kNotJudged } state = State::kNotJudged;
    std::string counter{};      // that it counts; empty: none
    std::size_t run = 0;        // that it is about
    std::string advice{};       // what to do about a finding; empty: nothing is known
    bool shows_advice = false;  // it is open
};

struct OpenedExercise {
    std::filesystem::path file;  // .toml
    Exercise exercise;
    std::vector<FileMistake> mistakes;  // of the exercise's file; not empty: it cannot be judged
    std::filesystem::path copy;         // the learner's file
    std::string lesson_title{};         // of Exercise::lesson; empty: there is none
    std::size_t hints = 0;              // that are open
    bool passed_before = false;         // in an earlier judgement
    bool judging = false;
    std::string judged_at{};    // time of day when the shown rows were begun: "14:01:12"
    double seconds = 0;         // from there to the verdict
    std::string problem{};      // why it could not be judged; empty: it was
    bool refused = false;       // the rows say why nothing was judged
    bool shows_former = false;  // the replay is of an earlier file: this one did not run
    std::vector<ExerciseRow> rows{};
    std::string sizes{};    // of the run that is shown: "n = 64"
    std::string changes{};  // Grade::changes
    int points = 0, most_points = 0;
    std::size_t verdicts = 0;  // since it was opened
    std::uint64_t seed = 0;
    std::optional<std::size_t> chosen{};  // index of the row that is shown
    bool chosen_by_user = false;          // else the first that failed
    std::string moment_problem{};         // why the row's moment cannot be shown; empty: it can

    [[nodiscard]] std::string name() const { return file.stem().string(); }
    [[nodiscard]] bool judged() const { return !rows.empty(); }
    [[nodiscard]] std::size_t passed() const;  // rows
    [[nodiscard]] bool shows_advice() const;   // of any row
    // Whether the chosen row has advice that is not open.
    [[nodiscard]] bool offers_advice() const;
    [[nodiscard]] bool all_passed() const { return judged() && passed() == rows.size(); }
};

class ExerciseBench {
  public:
    explicit ExerciseBench(ExerciseBenchOptions options);
    ~ExerciseBench();
    ExerciseBench(const ExerciseBench&) = delete;
    ExerciseBench& operator=(const ExerciseBench&) = delete;

    // Opens an exercise and judges the learner's copy. `copy`: its path; empty: that of the last
    // time or, at first, a new one in the folder. A copy that is missing is made.
    void open(const std::filesystem::path& file, std::filesystem::path copy = {});
    void judge();  // the copy as it is now; cancels a judgement that is under way
    void close();
    void open_hint();                   // the next one
    void open_advice(std::size_t row);  // index into OpenedExercise::rows
    // Shows the moment of a row; index into OpenedExercise::rows.
    void choose(std::size_t row);
    // Takes over finished work of the thread. True if anything has changed.
    bool advance();
    // The next moment to show, once; nullopt if there is no new one.
    [[nodiscard]] std::optional<CheckMoment> take_moment();

    [[nodiscard]] const OpenedExercise* exercise() const { return opened_ ? &*opened_ : nullptr; }
    // The moment that was shown last; nullptr if there is none.
    [[nodiscard]] const CheckMoment* shown_moment() const { return shown_ ? &*shown_ : nullptr; }
    [[nodiscard]] bool busy() const;
    [[nodiscard]] const std::vector<std::filesystem::path>& offered() const { return offered_; }
    [[nodiscard]] const ExerciseProgress& progress() const { return progress_; }
    // The place of the opened exercise in the list; nullopt: it is not in it.
    [[nodiscard]] std::optional<std::size_t> number() const;
    // The exercise `by` places on in the list; nullopt: there is none.
    [[nodiscard]] std::optional<std::filesystem::path> beside(int by) const;

  private:
    struct Outcome;
    void take_grade(Result<Grade> grade);
    void find_moment(std::size_t row);
    void keep();

    ExerciseBenchOptions options_;
    std::vector<std::filesystem::path> offered_;
    ExerciseProgress progress_;
    std::optional<OpenedExercise> opened_;
    std::shared_ptr<SharedWork> shared_;  // of the grades of this exercise and seed
    std::shared_ptr<const Grade> grade_;  // the last one, with its recordings
    std::optional<CheckMoment> moment_, shown_;
    std::shared_ptr<Outcome> outcome_;  // of the newest work; nullptr: idle
    TaskThread thread_;                 // last: its tasks use the members above
};

}  // namespace tilereel
