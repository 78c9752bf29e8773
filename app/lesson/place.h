#pragma once
// Where in a replay a moment of a lesson is.
#include <vector>

#include "app/lesson/lesson.h"
#include "app/replay/replay.h"
#include "instrumentation/analysis/hazards.h"

namespace tilereel {

// Ticks; need not be whole. kWrongCall if the replay has no such moment. `findings`: of the trace.
[[nodiscard]] Result<double> position_of(const Replay& replay, const std::vector<Finding>& findings,
                                         const LessonMoment& moment);

}  // namespace tilereel
