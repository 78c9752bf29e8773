#pragma once
// What the addresses of the program itself are.
#include <cstdint>

namespace tilereel::plain {

// Constants, string literals, tables of virtual functions: device code may read them.
[[nodiscard]] bool is_constant_data(std::uint64_t address);

}  // namespace tilereel::plain
