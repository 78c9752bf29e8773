#pragma once
// What each plane of a shared array of several holds, from one fill to the next.
#include "app/replay/schedule.h"

namespace tilereel {

struct BufferFills {
    // Planes are numbered through, array by array; those of array a are from first[a] on. An array
    // of one plane has no fills.
    std::vector<std::uint32_t> first;
    std::vector<std::vector<BufferFill>> of_plane;  // in the order in which they begin
};
[[nodiscard]] BufferFills find_buffer_fills(const Trace& trace, const Schedule& schedule);

}  // namespace tilereel
