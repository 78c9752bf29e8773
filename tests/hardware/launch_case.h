#pragma once
// One launch of a native or as-written kernel: exactly one kernel on the GPU, so that a profiler's
// n-th launch is the n-th case.
#include <string>

#include "instrumentation/base/result.h"
#include "tests/hardware/cases.h"

namespace tilereel::hardware {

enum class Build { kNative, kAsWritten };

// Checks C against the reference.
Status launch_case(Build build, const Case& each);

// kWrongCall on a GPU that 20 does not run on.
Status launch_champion(const ChampionCase& each);

// "13.0"
[[nodiscard]] std::string toolkit_version();

}  // namespace tilereel::hardware
