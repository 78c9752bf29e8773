#pragma once
// An element of an array from its bits.
#include <cstdint>
#include <string>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// The value in the type of the array. `bits`: its first 8 bytes.
[[nodiscard]] std::string text_of_bits(const Array& array, std::uint64_t bits);
[[nodiscard]] double number_of_bits(const Array& array, std::uint64_t bits);

}  // namespace tilereel
