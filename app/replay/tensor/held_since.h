#pragma once
#include <cstdint>

namespace tilereel {

// When a register or a piece of memory gets its value, or is read: before the request, by it (of
// sums: by the product at its end), or later.
enum class HeldSince : std::uint8_t { kBefore, kNow, kLater };

}  // namespace tilereel
