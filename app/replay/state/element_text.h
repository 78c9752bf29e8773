#pragma once
// Converts the bits of an array's element to text or to a number.
#include <cstdint>
#include <optional>
#include <string>

#include "app/replay/elements.h"
#include "app/replay/state/state.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// `bits`: the first 8 bytes of the element, interpreted in the type of the array.
[[nodiscard]] std::string text_of_bits(const Array& array, std::uint64_t bits);
// The same for an element of any size. Of one of more than 8 bytes only the first component is
// known.
[[nodiscard]] std::string text_of_element(const Array& array, std::uint64_t bits);
// The first 8 bytes that a request leaves in an element, written by the last lane that accesses it.
// `width_bytes`: of an access of the request. nullopt if the request does not write all of the
// element, or if its values are unknown.
[[nodiscard]] std::optional<std::uint64_t> bits_stored(const Array& array, Element at,
                                                       std::uint32_t width_bytes,
                                                       const RequestState& request);
[[nodiscard]] double number_of_bits(const Array& array, std::uint64_t bits);

}  // namespace tilereel
