#pragma once
// What is to be graded, and why a submission is refused.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/exercise/exercise.h"
#include "app/exercise/run_facts.h"
#include "instrumentation/program/program.h"

namespace tilereel {

// What grades of one exercise, seed and number of runs have in common. Each part is made when a
// grade first needs it.
struct SharedWork {
    std::mutex mutex;                              // guards the members below
    std::optional<program::BuiltProgram> harness;  // its object
    std::vector<RunFacts> handed_out;              // runs of the file that was handed out
    std::string handed_out_fails{};                // why it cannot run; empty: not tried, or it can
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
    std::string what{}, advice{};  // of a finding: as CheckResult::what
};

}  // namespace tilereel
