#pragma once
// The accesses into which nvcc splits the access of a structure or of bytes that memcpy() moves. An
// access is aligned to its width, and what is known of an address is the alignment of its type.
#include <algorithm>
#include <bit>

#include "instrumentation/cuda/hooks.h"

namespace tilereel::runtime {

// Bytes of one access: the largest power of two, up to 16, that the alignment allows and that
// divides the size.
inline std::uint32_t piece_bytes(const Site& site) {
    const std::uint32_t width = site.width_bytes;
    const std::uint32_t widest = std::min(16u, std::max(1u, site.align_bytes));
    std::uint32_t piece = std::bit_floor(widest);
    while (piece > 1 && width % piece != 0) piece /= 2;
    return piece;
}

// The number of accesses that one lane makes at the site.
inline std::uint32_t pieces_of(const Site& site) { return site.width_bytes / piece_bytes(site); }

}  // namespace tilereel::runtime
