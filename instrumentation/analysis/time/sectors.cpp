#include "instrumentation/analysis/time/sectors.h"

#include <algorithm>

#include "instrumentation/analysis/time/gpu_model.h"
#include "instrumentation/trace/views.h"

namespace tilereel {

std::vector<std::uint64_t> sectors_of(const Trace& trace, std::uint64_t record) {
    const Site& site = site_at(trace, record);
    const LaneOffsets lanes = lane_offsets(trace, record);
    std::vector<std::uint64_t> sectors;
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        const std::uint64_t first = lanes.bytes[lane] / kCacheSectorBytes;
        const std::uint64_t last = (lanes.bytes[lane] + site.width_bytes - 1) / kCacheSectorBytes;
        for (std::uint64_t sector = first; sector <= last; ++sector)
            sectors.push_back(std::uint64_t{site.array} << 40 | sector);
    }
    std::ranges::sort(sectors);
    sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
    return sectors;
}

}  // namespace tilereel
