#pragma once
// Whether a block overwrites in shared memory what it reads, with no barrier between.
#include <cstdint>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// Whether the segments [first, last) of one epoch store to a word of shared memory that they also
// load. A loop that lacks the barrier at the end of its body does so: a warp that has finished one
// trip stores the next tile over the words that other warps still load. A prefetch into a second
// buffer does not. Copies (`cp.async`, bulk copies) are not looked at.
[[nodiscard]] bool overwrites_what_it_loads(const Trace& trace, std::size_t first,
                                            std::size_t last);

}  // namespace tilereel
