#pragma once
// Makes a second version of each device function, without hooks, for blocks that are not recorded.
#include "gcc.h"

namespace tilereel::runtime {

// Processes all functions together. They must be in SSA form and not optimised yet.
void make_unhooked_versions();

}  // namespace tilereel::runtime
