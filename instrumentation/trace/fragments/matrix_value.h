#pragma once
// The number that the bits of an element of a fragment stand for.
#include <cstdint>

#include "instrumentation/trace/fragments/matrix_type.h"

namespace tilereel {

// `bits`: the element in the lowest bits; those above it are not read. Of a tf32, the lower 13 bits
// count as 0. PTX ISA 9.0, "Alternate Floating-Point Data Formats".
[[nodiscard]] double matrix_value(MatrixType type, std::uint64_t bits);

}  // namespace tilereel
