#pragma once
#include <cstdint>
#include <string_view>

namespace tilereel {

// The memory that an access goes to: the state spaces of PTX (PTX ISA, "State Spaces").
// kConstant: __constant__ memory. Its loads go through the constant cache and do not count as
// global accesses (CUDA C++ Programming Guide, "Constant Memory").
// An array of a trace is in one of the first three. Only instructions have the others: a generic
// address, whose space is known when the instruction runs; local memory and parameters, which are
// not recorded; shared memory that may be another block's of the cluster.
enum class Space : std::uint8_t {
    kGlobal = 0,
    kShared = 1,
    kConstant = 2,
    kGeneric = 3,
    kLocal = 4,
    kSharedCluster = 5,
};
inline constexpr Space kLastSpaceOfArray = Space::kConstant;
[[nodiscard]] std::string_view space_name(Space space);  // "global"

}  // namespace tilereel
