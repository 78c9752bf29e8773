#pragma once
#include <cstdint>
#include <string_view>

namespace tilereel {

// The memory that an access goes to: the state spaces of PTX (PTX ISA, "State Spaces").
// kConstant: __constant__ memory. Its loads go through the constant cache and do not count as
// global accesses (CUDA C++ Programming Guide, "Constant Memory").
// kSharedCluster: of an array, the shared memory of other blocks of the cluster (CUDA C++
// Programming Guide, "Distributed Shared Memory"); its outermost extent is the block's rank. Of an
// instruction, shared memory that may be another block's. Only instructions have kGeneric, an
// address whose space is known when the instruction runs, and kLocal, local memory and parameters,
// which are not recorded.
enum class Space : std::uint8_t {
    kGlobal = 0,
    kShared = 1,
    kConstant = 2,
    kGeneric = 3,
    kLocal = 4,
    kSharedCluster = 5,
};
[[nodiscard]] constexpr bool is_space_of_array(Space space) {
    return space <= Space::kConstant || space == Space::kSharedCluster;
}
// Whether it is shared memory: of the block itself, or of others of its cluster.
[[nodiscard]] constexpr bool is_shared_memory(Space space) {
    return space == Space::kShared || space == Space::kSharedCluster;
}
[[nodiscard]] std::string_view space_name(Space space);  // "global"

}  // namespace tilereel
