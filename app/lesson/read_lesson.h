#pragma once
// Reads a lesson's file: TOML, described in assets/lessons/README.md.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/lesson/lesson_reading.h"

namespace tilereel {

inline constexpr std::size_t kLargestLessonBytes = 1 << 20;

// "bank_conflicts.toml, line 12: there is no kernel "08_tilde""
[[nodiscard]] std::string text_of(const std::filesystem::path& file, const LessonMistake& mistake);

// Never fails. A file that cannot be read gives a lesson with a mistake.
[[nodiscard]] LessonReading read_lesson(const std::filesystem::path& file);
[[nodiscard]] LessonReading lesson_of_text(std::string_view text,
                                           const std::filesystem::path& file);
// The line in which the scene's text contains these words. If none does, the scene's first line.
[[nodiscard]] int line_of_words(std::string_view text, int from_line, std::string_view words);
// A line of the text, counted from 1. Empty if there is no such line.
[[nodiscard]] std::string_view line_of_text(std::string_view text, int line);

// The lessons in a folder, ordered by their numbers, then by name.
[[nodiscard]] std::vector<std::filesystem::path> lessons_in(const std::filesystem::path& folder);

}  // namespace tilereel
