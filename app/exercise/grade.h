#pragma once
// Grades a submission: compiles it with the harness, runs it at several sizes that a seed draws,
// and judges each requirement by what the recordings show.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/exercise/exercise.h"
#include "app/exercise/judge.h"
#include "app/exercise/run_facts.h"

namespace tilereel {

// What grades of one exercise, seed and number of runs have in common. Each part is made when a
// grade first needs it.
struct SharedWork {
    std::mutex mutex;                              // guards the members below
    std::optional<program::BuiltProgram> harness;  // its object
    std::vector<RunFacts> handed_out;              // runs of the file that was handed out
    std::string handed_out_fails{};  // why there are none; empty: not tried, or there are
};

struct GradeRequest {
    std::filesystem::path submission;
    std::optional<Exercise> exercise;         // nullopt: the program's own main() runs
    std::vector<Requirement> requirements{};  // besides those of the exercise
    std::uint64_t seed = 0;
    unsigned runs = 3;  // of an exercise
    const std::atomic<bool>* stop = nullptr;
    double seconds = 10;  // that a run may take without progress
    std::shared_ptr<SharedWork> shared = std::make_shared<SharedWork>();
    // It runs with the rights of the user; else in a sandbox (instrumentation/program/sandbox.h),
    // or not at all.
    bool trusted = false;
    bool keeps_recordings = false;  // Grade::recordings
    bool tells_changes = false;     // Grade::changes
};

struct Refusal {
    enum class Cause : std::uint8_t { kRule, kCompiler, kStopped };  // it ran, and did not end well
    std::string sentence;
    std::uint32_t line = 0;    // of the submission; 0: none
    std::uint32_t column = 0;  // of a compiler's error; 0: none
    Cause cause = Cause::kRule;
};

struct Grade {
    std::vector<NamedNumbers> sizes;  // of each run
    std::vector<Refusal> refusals;    // why nothing was judged; empty: the checks were
    std::vector<CheckResult> checks;  // of all requirements
    // The runs that were judged, up to the first that ended with a problem. Of an exercise, and
    // only if the request keeps them.
    std::vector<program::ProgramRun> recordings{};
    // If all checks of an exercise passed: changes_text(), compared with what was handed out.
    std::string changes{};
    [[nodiscard]] std::size_t passed() const;
    // A check that holds for the file that was handed out is a condition: it earns nothing, and
    // nothing is earned while it does not hold. So what was handed out earns nothing, and neither
    // does a file that mends one thing and breaks another.
    [[nodiscard]] int points() const;
    [[nodiscard]] int points(const CheckResult& check) const;  // that this check earns
    [[nodiscard]] int most_points() const;
    [[nodiscard]] bool all_passed() const { return !checks.empty() && passed() == checks.size(); }
};

// A submission that does not compile, crashes or cheats gets a grade with refusals. Fails if there
// is no compiler or no such file, or if the exercise itself cannot be checked.
[[nodiscard]] Result<Grade> grade(const GradeRequest& request);

}  // namespace tilereel
