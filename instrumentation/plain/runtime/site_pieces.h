#pragma once
// The accesses into which the hardware splits the access of a structure.
#include <algorithm>
#include <bit>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

// Bytes of one access: the largest power of two, up to 16, that the value's alignment allows and
// that divides its size. So nvcc copies a structure: two floats with an alignment of 4 bytes one
// after the other.
inline std::uint32_t piece_bytes(const Site& site) {
    const std::uint32_t width = site.width_bytes;
    const std::uint32_t widest = std::min(16u, std::max(1u, site.align_bytes));
    if (std::has_single_bit(width) && width <= 16 && width <= widest) return width;
    std::uint32_t piece = std::bit_floor(widest);
    while (piece > 1 && width % piece != 0) piece /= 2;
    return piece;
}

// The number of accesses that one lane makes at the site.
inline std::uint32_t pieces_of(const Site& site) { return site.width_bytes / piece_bytes(site); }

}  // namespace tilereel::plain
