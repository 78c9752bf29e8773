#pragma once
// How the buffer of a traced launch is dealt out to its warps.
#include <cstdint>
#include <span>
#include <vector>

namespace tilereel {

struct SegmentPlan {
    std::vector<std::uint64_t> begin;  // [warps + 1], in records: DeviceTrace::segment_begin
    std::uint32_t blocks = 0;          // that have room, from block 0 on; the others have none
    [[nodiscard]] std::uint64_t records() const { return begin.back(); }
};

// Room for what each warp has to record, whole blocks in order, until the next would not fit into
// `capacity` records.
[[nodiscard]] SegmentPlan plan_segments(std::span<const std::uint32_t> record_counts,
                                        std::uint32_t warps_of_block, std::uint64_t capacity);

}  // namespace tilereel
