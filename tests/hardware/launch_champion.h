#pragma once
// Launches 20_champion once, with the tiles that a race chooses.
#include <string>

#include "instrumentation/base/result.h"
#include "tests/hardware/cases.h"

namespace tilereel::hardware {

// Checks C against the reference. kWrongCall if 20_champion does not run on this GPU.
Status launch_champion(const ChampionCase& each);

// "13.0"
[[nodiscard]] std::string toolkit_version();

}  // namespace tilereel::hardware
