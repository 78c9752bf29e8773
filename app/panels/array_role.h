#pragma once
// The role of an array in the picture, which gives it its colour.
#include "app/replay/replay.h"
#include "app/ui/theme.h"

namespace tilereel {

// A, As -> kA; B, Bs -> kB; C and whatever else is stored -> kC.
[[nodiscard]] Role role_of_array(const Replay& replay, ArrayId array);

}  // namespace tilereel
