#pragma once
// A second version of each device function, without hooks: blocks that are not recorded run it.
#include "gcc.h"

namespace tilereel::plain {

// Works on all functions at once, in SSA form and before anything is optimised.
void make_unhooked_versions();

}  // namespace tilereel::plain
