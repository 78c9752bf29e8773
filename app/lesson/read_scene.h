#pragma once
// Reads one scene of a lesson's file.
#include "app/lesson/lesson_reading.h"
#include "instrumentation/base/files/toml_keys.h"

namespace tilereel {

// Adds the scene to the lesson. A scene that names neither a kernel nor a file shows the launch
// of the last scene before it that is not a race.
void read_scene(const toml::table& table, LessonReading& reading);
// kWrongCall if the file of a scene's launch is not there, or is neither a program nor a trace.
[[nodiscard]] Status check_scene_file(const Subject& launch);
// The contender for words such as "09_tiled TILE 32 PAD 1" or "cublas". kWrongCall if there is
// none.
[[nodiscard]] Result<Contender> contender_of_words(const std::string& words);

}  // namespace tilereel
