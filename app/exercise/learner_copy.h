#pragma once
// The learner's own copy of an exercise's file, which is edited and judged.
#include <filesystem>

#include "app/exercise/exercise.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// Where copies are put that nobody has named a place for: ~/tilereel; empty if there is no home.
[[nodiscard]] std::filesystem::path learner_folder();

// Copies what was handed out to `copy`, with the folders above it. A file that is there already
// stays as it is. kFailed with a sentence if it cannot be written, or is no file.
[[nodiscard]] Status make_learner_copy(const Exercise& exercise, const std::filesystem::path& copy);

}  // namespace tilereel
