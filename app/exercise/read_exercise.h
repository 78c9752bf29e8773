#pragma once
// Reads an exercise's file: TOML, described in assets/exercises/README.md.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/exercise/exercise.h"

namespace tilereel {

// Never fails. A file that cannot be read gives an exercise with a mistake.
[[nodiscard]] ExerciseReading read_exercise(const std::filesystem::path& file);
[[nodiscard]] ExerciseReading exercise_of_text(std::string_view text,
                                               const std::filesystem::path& file);

// The exercises in a folder, ordered by their numbers, then by name.
[[nodiscard]] std::vector<std::filesystem::path> exercises_in(const std::filesystem::path& folder);

// The names of the outputs and of the sizes, for requirement_of_words().
[[nodiscard]] std::vector<std::string> names_of(const Exercise& exercise,
                                                ExerciseParameter::Role role);

}  // namespace tilereel
