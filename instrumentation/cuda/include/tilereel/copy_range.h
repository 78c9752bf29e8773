#pragma once
// Splits a copy of any length into pieces of 16, 8, 4, 2 or 1 bytes: the largest size that divides
// both addresses and the length. (cp.async itself has 16, 8 and 4.)
#include <cstdint>

#include "cuda_runtime.h"

namespace tilereel::runtime {

inline unsigned bytes_of_piece(const void* to, const void* from, std::size_t bytes) {
    const std::size_t all =
        reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
    return all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : all % 2 == 0 ? 2 : 1;
}
// Starts the part of the copy that belongs to one of `size` threads.
inline void copy_share(void* to, const void* from, std::size_t bytes, unsigned rank,
                       unsigned size) {
    const unsigned piece = bytes_of_piece(to, from, bytes);
    for (std::size_t at = std::size_t(rank) * piece; at < bytes; at += std::size_t(size) * piece)
        start_copy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, piece, 0);
}

}  // namespace tilereel::runtime
