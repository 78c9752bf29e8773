#pragma once
// What a learner has done so far, kept between sessions: a JSON file in the user's state folder.
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "instrumentation/base/result.h"

namespace tilereel {

struct ExerciseRecord {
    bool passed = false;         // all checks have passed once
    std::size_t hints = 0;       // that were opened
    std::filesystem::path copy;  // the learner's file; empty: there was none
    bool operator==(const ExerciseRecord&) const = default;
};

// By progress_name().
using ExerciseProgress = std::map<std::string, ExerciseRecord, std::less<>>;

// "coalescing" of an exercise that ships; of another, the absolute path of its file.
[[nodiscard]] std::string progress_name(const std::filesystem::path& exercise);

// exercises.json in state_folder(); empty if that is not known.
[[nodiscard]] std::filesystem::path exercise_progress_file();
// Empty if there is no such file. Invalid parts of the file are ignored.
[[nodiscard]] ExerciseProgress read_exercise_progress(const std::filesystem::path& file);
// Creates the folder if it is missing.
[[nodiscard]] Status write_exercise_progress(const ExerciseProgress& progress,
                                             const std::filesystem::path& file);

}  // namespace tilereel
