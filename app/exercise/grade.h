#pragma once
// Grades a submission: compiles it with the harness, runs it at several sizes that a seed draws,
// and judges each requirement by what the recordings show.
#include <cstddef>
#include <string>
#include <vector>

#include "app/exercise/grade_request.h"
#include "app/exercise/judge.h"

namespace tilereel {

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
// is no compiler or no such file, or if the exercise itself cannot be checked: its reference fails,
// or the file that was handed out does not end in time.
[[nodiscard]] Result<Grade> grade(const GradeRequest& request);

}  // namespace tilereel
