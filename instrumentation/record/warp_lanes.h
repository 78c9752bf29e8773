#pragma once
// Which lanes of one warp can run and which wait at a barrier; the barriers' records.
#include <array>
#include <bit>
#include <cstdint>

#include "instrumentation/record/batch.h"

namespace tilereel {

struct WarpLanes {
    std::uint32_t ready = 0, at_warp_barrier = 0, at_block_barrier = 0;  // lanes
    std::uint32_t at_phase = 0;                   // of `ready`: lanes that wait for a phase to end
    std::array<std::uint32_t, kWarpSize> line{};  // of its barrier
};

// The waiting lanes met at their __syncwarp(): calls record(key, lanes), one record a line, and
// sets them free.
template <class Record>
void release_warp_barriers(WarpLanes& warp, Record&& record) {
    for (std::uint32_t left = warp.at_warp_barrier; left != 0;) {
        const std::uint32_t line = warp.line[static_cast<std::size_t>(std::countr_zero(left))];
        std::uint32_t lanes = 0;  // that wait on the same line
        for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
            if (warp.line[static_cast<std::size_t>(std::countr_zero(rest))] == line)
                lanes |= rest & (0u - rest);
        const EventKey key =
            dialect::event_key(line, dialect::EventKind::kBarrier, dialect::kWarpBarrier, 4);
        record(key, lanes);
        left &= ~lanes;
    }
    warp.ready = warp.at_warp_barrier;
    warp.at_warp_barrier = 0;
}

// One record however many lanes came, on the line where the lowest of them waits.
inline void write_block_barrier(const WarpLanes& warp, Batch& batch) {
    const auto first = static_cast<std::size_t>(std::countr_zero(warp.at_block_barrier));
    const EventKey key = dialect::event_key(warp.line[first], dialect::EventKind::kBarrier,
                                            dialect::kBlockBarrier, 4);
    batch.add_plain(batch.site_of_event(key), 0, warp.at_block_barrier);
}

}  // namespace tilereel
