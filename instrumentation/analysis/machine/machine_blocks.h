#pragma once
// The basic blocks of a kernel's machine code, what follows what, and its loops.
#include <cstdint>
#include <utility>
#include <vector>

#include "instrumentation/analysis/machine/machine_instruction.h"

namespace tilereel {

struct MachineBlock {
    std::uint32_t first = 0, end = 0;        // instructions
    std::vector<std::uint32_t> followers{};  // blocks; of a call: what comes after it returns
    bool may_end = false;                    // the thread may end here
};
// Blocks [first, last] by address, to whose first one the last one branches back.
struct MachineLoop {
    std::uint32_t first = 0, last = 0;
};
struct MachineGraph {
    std::vector<MachineBlock> blocks;  // by address
    std::vector<MachineLoop> loops;    // outer ones first
};
[[nodiscard]] MachineGraph graph_of(const MachineKernel& kernel);

}  // namespace tilereel
