#pragma once
// Classifies addresses inside the program's own image.
#include <cstdint>

namespace tilereel::runtime {

// Whether the address is in read-only data (constants, string literals, virtual tables) or code.
// Device code may read it.
[[nodiscard]] bool is_constant_data(std::uint64_t address);

}  // namespace tilereel::runtime
