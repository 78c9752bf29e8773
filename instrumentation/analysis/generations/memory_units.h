#pragma once
#include <cstdint>

namespace tilereel {

// The units in which NVIDIA GPUs move data: a bank's word, and a sector of a line.
// CUDA C++ Programming Guide, "Shared Memory" and "Device Memory Accesses".
inline constexpr std::uint32_t kWordBytes = 4;
inline constexpr std::uint32_t kSectorBytes = 32;

}  // namespace tilereel
