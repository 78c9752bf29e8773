#pragma once
// Atomics on shared memory by which each thread counts one more.
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// By site: whether its atomics add 1 to integers in the block: the values that they leave at an
// address follow one another. nvcc makes one instruction of such an addition that counts the lanes
// of an address at once: ATOMS.POPC.INC in "CUDA Binary Utilities", "Instruction Set Reference".
[[nodiscard]] std::vector<bool> counting_sites(const Trace& trace, std::uint32_t block);

}  // namespace tilereel
