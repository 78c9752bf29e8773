#pragma once
// Grades a submission: compiles it with the harness, runs it at several sizes that a seed draws,
// and judges each requirement by what the recordings show.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/exercise/exercise.h"
#include "app/exercise/judge.h"

namespace tilereel {

struct GradeRequest {
    std::filesystem::path submission;
    std::optional<Exercise> exercise;         // nullopt: the program's own main() runs
    std::vector<Requirement> requirements{};  // besides those of the exercise
    std::uint64_t seed = 0;
    unsigned runs = 3;  // of an exercise
    const std::atomic<bool>* stop = nullptr;
};

struct Refusal {
    std::string sentence;
    std::uint32_t line = 0;  // of the submission; 0: none
};

struct Grade {
    std::vector<NamedNumbers> sizes;  // of each run
    std::vector<Refusal> refusals;    // why nothing was judged; empty: the checks were
    std::vector<CheckResult> checks;  // of all requirements
    [[nodiscard]] std::size_t passed() const;
    [[nodiscard]] bool all_passed() const { return passed() == checks.size(); }
};

// A submission that does not compile, crashes or cheats gets a grade with refusals. Fails if there
// is no compiler or no such file, or if the exercise itself cannot be checked.
[[nodiscard]] Result<Grade> grade(const GradeRequest& request);

}  // namespace tilereel
