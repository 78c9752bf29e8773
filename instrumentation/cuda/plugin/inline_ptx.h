#pragma once
// Inline PTX: asm statements in device code.
#include "gcc.h"

namespace tilereel::runtime {

// Replaces each asm statement of a device function by a call of the runtime (hooks.h), which reads
// the PTX and carries it out. Called before the function leaves the C++ front end: later passes of
// g++ would take the statement for one of the CPU's.
void replace_inline_ptx(tree function);

}  // namespace tilereel::runtime
