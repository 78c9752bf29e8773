#include "instrumentation/record/device/segment_plan.h"

namespace tilereel {

SegmentPlan plan_segments(std::span<const std::uint32_t> record_counts,
                          std::uint32_t warps_of_block, std::uint64_t capacity) {
    SegmentPlan plan;
    plan.begin.reserve(record_counts.size() + 1);
    plan.begin.push_back(0);
    bool room = true;
    for (std::size_t warp = 0; warp < record_counts.size(); warp += warps_of_block) {
        const auto counts = record_counts.subspan(warp, warps_of_block);
        std::uint64_t wanted = 0;
        for (const std::uint32_t count : counts) wanted += count;
        room = room && plan.begin.back() + wanted <= capacity;
        if (room) ++plan.blocks;
        for (const std::uint32_t count : counts)
            plan.begin.push_back(plan.begin.back() + (room ? count : 0));
    }
    return plan;
}

}  // namespace tilereel
