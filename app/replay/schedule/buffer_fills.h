#pragma once
// The successive fills of each plane of a multi-buffered shared array.
#include "app/replay/schedule/schedule.h"

namespace tilereel {

// The state of one plane of a multi-buffered array.
enum class BufferState : std::uint8_t {
    kEmpty,        // no store and no copy to it has begun
    kBeingFilled,  // by stores
    kUnderWay,     // asynchronous copies have begun, and not all are complete
    kFilled,       // complete, but not read yet
    kBeingRead,    // from the first read to the last
    kAllRead,      // until it is filled again
};
// A fill: the tile in one plane until the plane is filled again. Numbers of steps; kNoStep: none.
struct BufferFill {
    std::uint32_t begun = kNoStep, last_begun = kNoStep;          // a store, or the begin of a copy
    std::uint32_t first_filled = kNoStep, last_filled = kNoStep;  // a store, or the end of a copy
    std::uint32_t first_read = kNoStep, last_read = kNoStep;
    std::vector<std::uint32_t> first_read_of_warp{}, last_read_of_warp{};
    std::uint32_t phase = 0;  // of the first read; if there is none, of the first store or copy
    bool copied = false;      // filled by asynchronous copies
    [[nodiscard]] BufferState state_at(std::uint32_t step) const;
};
// The last fill of a plane that has begun by a step; nullptr if there is none.
[[nodiscard]] const BufferFill* fill_at(std::span<const BufferFill> fills, std::uint32_t step);

struct BufferFills {
    // Planes are numbered consecutively, array by array; array a begins at first[a]. An array of
    // one plane has no fills.
    std::vector<std::uint32_t> first;
    std::vector<std::vector<BufferFill>> of_plane;  // in the order of their begin
};
[[nodiscard]] BufferFills find_buffer_fills(const Trace& trace, const Schedule& schedule);

}  // namespace tilereel
