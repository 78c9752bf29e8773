#pragma once
// Converts the bits of an array's element to text or to a number.
#include <cstdint>
#include <string>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// `bits`: the first 8 bytes of the element, interpreted in the type of the array.
[[nodiscard]] std::string text_of_bits(const Array& array, std::uint64_t bits);
[[nodiscard]] double number_of_bits(const Array& array, std::uint64_t bits);

}  // namespace tilereel
