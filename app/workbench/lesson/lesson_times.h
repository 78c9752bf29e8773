#pragma once
// The estimates that lessons name in their sentences.
#include "app/lesson/prepare_lesson.h"

namespace tilereel {

// On an H100, kept for the life of the process. Error (kWrongCall): the kernel cannot be estimated
// at this size.
[[nodiscard]] Result<LessonTime> lesson_time(const LessonTimed& timed);
// The tools with this estimate.
[[nodiscard]] LessonTools with_estimates(LessonTools tools);

}  // namespace tilereel
