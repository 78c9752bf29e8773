#pragma once
// Which loads from global memory are copied to shared memory: what waits for the others is the next
// computation.
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// By site: whether most of its loads in the block are stored to shared memory, as their values say.
// An array whose content is unknown is taken as copied if the block stores to shared memory.
[[nodiscard]] std::vector<bool> copied_sites(const Trace& trace, std::uint32_t block);

}  // namespace tilereel
