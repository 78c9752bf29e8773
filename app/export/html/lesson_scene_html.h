#pragma once
// A scene of a lesson as HTML, which can be read without its script.
#include <string>

#include "app/lesson/prepare_lesson.h"
#include "app/replay/replay.h"

namespace tilereel {

// `number`: of the scene, from 1. The replays of both sides are moved; nullptr: there is none. A
// block of the scene names the beats at which the script shows it (data-beats).
[[nodiscard]] std::string scene_html(std::size_t number, const LessonScene& scene,
                                     const PreparedScene& prepared, const Race* race,
                                     Replay* replay, Replay* other);
// "08 tiled_b_transposed, 32 x 32 x 32, TILE 32, PAD 0, block 0,0"
[[nodiscard]] std::string words_of_launch(const Replay& replay);

}  // namespace tilereel
