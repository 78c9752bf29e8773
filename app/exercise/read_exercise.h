#pragma once
// Reads an exercise's file: TOML, described in assets/exercises/README.md.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/exercise/exercise.h"

namespace tilereel {

// Never fails. A file that cannot be read gives an exercise with a mistake.
[[nodiscard]] ExerciseReading read_exercise(const std::filesystem::path& file);
[[nodiscard]] ExerciseReading exercise_of_text(std::string_view text,
                                               const std::filesystem::path& file);
// The exercise, or a sentence for each mistake with file and line, joined by line ends.
[[nodiscard]] Result<Exercise> sound_exercise(const std::filesystem::path& file);

// The exercises in a folder, ordered by their numbers, then by name.
[[nodiscard]] std::vector<std::filesystem::path> exercises_in(const std::filesystem::path& folder);
// The file of an exercise, from a path or from the name of a shipped one ("coalescing"). nullopt if
// there is none.
[[nodiscard]] std::optional<std::filesystem::path> find_exercise(const std::string& name);

// The names of the outputs and of the sizes, for requirement_of_words().
[[nodiscard]] std::vector<std::string> names_of(const Exercise& exercise,
                                                ExerciseParameter::Role role);

}  // namespace tilereel
