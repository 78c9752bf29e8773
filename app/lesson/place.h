#pragma once
// Finds the position of a lesson's moment in a replay.
#include <vector>

#include "app/lesson/lesson.h"
#include "app/replay/replay.h"
#include "instrumentation/analysis/hazards/hazards.h"

namespace tilereel {

// Returns a position in ticks, which may be fractional. kWrongCall if the replay has no such
// moment. `findings`: all of the trace.
[[nodiscard]] Result<double> position_of(const Replay& replay, const std::vector<Finding>& findings,
                                         const LessonMoment& moment);

}  // namespace tilereel
