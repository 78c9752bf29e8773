#pragma once
// One scene of a lesson's file.
#include "app/lesson/lesson_reading.h"
#include "instrumentation/base/toml_keys.h"

namespace tilereel {

// Adds the scene to the lesson. The scene shows the launch of the scene before it unless it names a
// kernel or a program.
void read_scene(const toml::table& table, LessonReading& reading);
// The contender that words such as "09_tiled TILE 32 PAD 1" or "cublas" name; kWrongCall.
[[nodiscard]] Result<Contender> contender_of_words(const std::string& words);

}  // namespace tilereel
