#pragma once
// How often a warp runs each basic block of the machine code, by what it accessed on each line.
//
// A recording says how often each line of the source accessed memory, the machine code which blocks
// have accesses of the line. A block that is unrolled by four accesses a line four times; what is
// left runs in another block. The counts of all lines, and that whoever comes into a block also
// leaves it, leave few possibilities. Of those the one is taken that explains the most accesses,
// and then the one with the fewest instructions. Lanes that part at a branch may run both sides, so
// that the sides may together run more often than the branch.
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "instrumentation/analysis/machine/machine_blocks.h"

namespace tilereel {

enum class AccessClass : std::uint8_t {
    kSharedLoad,
    kSharedStore,
    kSharedAtomic,
    kGlobalLoad,
    kGlobalStore,
    kGlobalAtomic,
    kCopy,
    kBarrier,
    kNone
};
[[nodiscard]] AccessClass class_of(MachineKind kind);

struct AccessPlace {
    std::uint16_t file = 0;  // Site::file
    std::uint32_t line = 0;
    AccessClass access = AccessClass::kNone;
    auto operator<=>(const AccessPlace&) const = default;
};
// What a warp's lanes accessed at a place.
struct RecordedAccesses {
    double trips = 0;  // runs of the line
    double bytes = 0;  // of a lane in each of them; of a barrier: 1
};
// By instruction of the kernel: its place; kNone for what accesses nothing.
using PlaceOfInstruction = std::vector<AccessPlace>;

// By block. Empty if no solution is found.
[[nodiscard]] std::vector<double> executions_of(
    const MachineKernel& kernel, const MachineGraph& graph, const PlaceOfInstruction& places,
    const std::map<AccessPlace, RecordedAccesses>& recorded);

}  // namespace tilereel
