#pragma once
// Where a check's sentence can be seen: a launch of the run that was judged, and a moment of it.
#include <cstdint>
#include <memory>

#include "app/exercise/judge.h"
#include "instrumentation/base/result.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {

struct CheckMoment {
    std::shared_ptr<const Trace> trace;
    std::uint32_t block = 0;  // its number
    double position = 0;      // ticks of the block's replay
};

// Of an error or a warning on the line: its moment. Else the request of the line that adds most to
// the check's counter or, without one, the first. Without a line, or if no launch has an access
// there, the start of the first launch. `run`: of an exercise, with the launches of the harness.
// kFailed if nothing was recorded.
[[nodiscard]] Result<CheckMoment> moment_of_check(const program::ProgramRun& run,
                                                  std::uint32_t line, const std::string& counter);

}  // namespace tilereel
