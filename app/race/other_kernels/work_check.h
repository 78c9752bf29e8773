#pragma once
// Compares what a kernel wrote with what it should have written.
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "app/race/runners/own_kernel.h"

namespace tilereel {

// The first element that differs, "out[3] is 5, and should be 7"; nullopt: none does. Whole numbers
// must be equal. A floating-point value may differ by a share of itself and of the array's mean
// magnitude, because the sum of many values depends on their order: 1e-4 of float32, 1e-9 of
// float64, 1e-2 of float16 and 5e-2 of bfloat16. The spans have the same size.
[[nodiscard]] std::optional<std::string> difference_in(const OwnArray& array,
                                                       std::span<const std::byte> found,
                                                       std::span<const std::byte> expected);

}  // namespace tilereel
