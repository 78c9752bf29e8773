#pragma once
// What each plane of a shared array of several holds, from one fill to the next.
#include "app/replay/schedule.h"

namespace tilereel {

// What is done with one plane of an array of several.
enum class BufferState : std::uint8_t {
    kEmpty,        // nothing has been stored there yet, nor has a copy begun
    kBeingFilled,  // by stores
    kUnderWay,     // asynchronous copies have begun, and not all have arrived
    kFilled,       // all are there, and nobody has read them yet
    kBeingRead,    // from the first read to the last
    kAllRead,      // until it is filled again
};
// What one plane of an array of several holds from one fill to the next: a tile. All are steps;
// kNoStep: none does.
struct BufferFill {
    std::uint32_t begun = kNoStep, last_begun = kNoStep;          // stores to it or begins a copy
    std::uint32_t first_filled = kNoStep, last_filled = kNoStep;  // stores, or a copy arrives
    std::uint32_t first_read = kNoStep, last_read = kNoStep;
    std::vector<std::uint32_t> first_read_of_warp{}, last_read_of_warp{};
    std::uint32_t phase = 0;  // that reads it first; where nobody does, that begins to fill it
    bool copied = false;      // by asynchronous copies
    [[nodiscard]] BufferState stage_at(std::uint32_t step) const;
};
// The last one that has begun by a step; nullptr: none has. `fills`: of one plane.
[[nodiscard]] const BufferFill* fill_at(std::span<const BufferFill> fills, std::uint32_t step);

struct BufferFills {
    // Planes are numbered through, array by array; those of array a are from first[a] on. An array
    // of one plane has no fills.
    std::vector<std::uint32_t> first;
    std::vector<std::vector<BufferFill>> of_plane;  // in the order in which they begin
};
[[nodiscard]] BufferFills find_buffer_fills(const Trace& trace, const Schedule& schedule);

}  // namespace tilereel
