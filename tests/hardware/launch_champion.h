#pragma once
// 20_champion as it races, launched once.
#include <string>

#include "instrumentation/base/result.h"
#include "tests/hardware/cases.h"

namespace tilereel::hardware {

// Checks C against the reference. kWrongCall on a GPU that 20 does not run on.
Status launch_champion(const ChampionCase& each);

// "13.0"
[[nodiscard]] std::string toolkit_version();

}  // namespace tilereel::hardware
