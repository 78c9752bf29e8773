#pragma once
// Which pieces a box comes in, for the builds that record it. The engine does not tell: this is how
// a recording shows what it does.
#include <cstdint>

#include "kernels/dialect/dialect.h"

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

// Of one width, all inside the matrix or all outside.
struct PieceBatch {
    static constexpr std::uint32_t kMost = 32;
    std::uint32_t width_bytes;  // of each
    bool outside;               // come as 0
    std::uint32_t count = 0;
    std::uint32_t from_bytes[kMost] = {};  // in the matrix; of what lies outside: unused
    std::uint32_t to_bytes[kMost] = {};    // in the block's shared memory
};

// Where the engine puts a byte of a box that begins at a multiple of 1024 bytes.
TILEREEL_INLINE std::uint32_t swizzled(std::uint32_t offset_bytes, int swizzle_bytes) {
    const std::uint32_t pieces = static_cast<std::uint32_t>(swizzle_bytes) / 16;
    return pieces == 0 ? offset_bytes : offset_bytes ^ (offset_bytes >> 7 & (pieces - 1)) << 4;
}

// Calls take(batch) with all pieces of the box that begins at (row, column) and comes to
// `begin_bytes` of shared memory. What lies inside the matrix goes by 16 bytes where its rows allow
// it, else by 4.
template <class Map, class Take>
TILEREEL_INLINE void for_each_batch(const Map& map, std::uint32_t begin_bytes, int row, int column,
                                    Take&& take) {
    for (const bool outside : {false, true})
        for (const int width : {4, 1}) {  // floats
            PieceBatch batch{static_cast<std::uint32_t>(width) * 4, outside};
            for (int r = 0; r < map.box_rows; ++r)
                for (int c = 0; c < map.box_columns; c += width) {
                    const int at_row = row + r, at_column = column + c / 4 * 4;
                    const bool in_rows = at_row < map.rows;
                    const bool whole = in_rows && at_column + 4 <= map.columns &&
                                       map.columns % 4 == 0 && at_column % 4 == 0;
                    const bool none = !in_rows || at_column >= map.columns;
                    if ((width == 4) != (whole || none)) continue;
                    const bool inside = in_rows && column + c < map.columns;
                    if (inside == outside) continue;
                    const long long from =
                        static_cast<long long>(at_row) * map.columns + column + c;
                    const auto at = static_cast<std::uint32_t>(r * map.box_columns + c) * 4;
                    batch.from_bytes[batch.count] = static_cast<std::uint32_t>(from * 4);
                    batch.to_bytes[batch.count++] = swizzled(begin_bytes + at, map.swizzle_bytes);
                    if (batch.count < PieceBatch::kMost) continue;
                    take(batch);
                    batch.count = 0;
                }
            if (batch.count > 0) take(batch);
        }
}

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect
