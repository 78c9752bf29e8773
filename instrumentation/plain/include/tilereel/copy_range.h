#pragma once
// Splits a copy of any length into pieces of the sizes that cp.async supports.
#include <cstdint>

#include "cuda_runtime.h"

namespace tilereel::plain {

inline unsigned piece_of_copy(const void* to, const void* from, std::size_t bytes) {
    const std::size_t all =
        reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
    return all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : all % 2 == 0 ? 2 : 1;
}
// Starts the part of the copy that belongs to one of `size` threads.
inline void copy_share(void* to, const void* from, std::size_t bytes, unsigned rank,
                       unsigned size) {
    const unsigned piece = piece_of_copy(to, from, bytes);
    for (std::size_t at = std::size_t(rank) * piece; at < bytes; at += std::size_t(size) * piece)
        start_copy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, piece, 0);
}

}  // namespace tilereel::plain
