#include "instrumentation/analysis/time/pipe_work.h"

#include <algorithm>
#include <unordered_map>

#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/trace/views.h"

namespace tilereel {

PipeWork extrapolated(const PipeWork& a, const PipeWork& b, double steps) {
    const auto at = [&](double PipeWork::*part) { return a.*part + (b.*part - a.*part) * steps; };
    return {.memory = at(&PipeWork::memory),
            .multiply_adds = at(&PipeWork::multiply_adds),
            .tensor = at(&PipeWork::tensor),
            .issued = at(&PipeWork::issued),
            .sectors = at(&PipeWork::sectors)};
}

PipeWork work_of_a_block(const Trace& trace, const Generation& generation) {
    PipeWork work;
    const double blocks = static_cast<double>(std::max<std::size_t>(whole_blocks(trace).size(), 1));
    for (const SiteCounts& site : count_sites(trace, {}, generation)) {
        const Operation operation = trace.sites[site.site].operation;
        work.issued += static_cast<double>(site.counts.requests) / blocks;
        if (operation == Operation::kMultiplyAdd)
            work.multiply_adds += static_cast<double>(site.counts.requests) / blocks;
        if (operation == Operation::kMatrixProduct)
            work.tensor += static_cast<double>(site.multiply_adds) / blocks;
        // The TMA copies without the memory pipe of the SM.
        if (!is_access(operation)) continue;
        work.memory += static_cast<double>(site.ticks) / blocks;
        work.sectors += static_cast<double>(site.counts.sectors) / blocks;
    }
    return work;
}

double least_clocks(const PipeWork& work, const SmTimes& sm) {
    return std::max({work.memory, work.multiply_adds / sm.fma_a_clock,
                     work.tensor / sm.tensor_a_clock, work.issued / sm.schedulers});
}

double atomics_on_one_word(const Trace& trace) {
    std::unordered_map<std::uint64_t, std::uint64_t> times;  // by array and offset
    std::uint64_t most = 0;
    for (std::uint64_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = site_at(trace, i);
        if (site.operation != Operation::kAtomic ||
            trace.arrays[site.array].space != Space::kGlobal)
            continue;
        const LaneOffsets lanes = lane_offsets(trace, i);
        for (const std::uint32_t lane : lanes_in(lanes.mask))
            most = std::max(most, ++times[std::uint64_t{site.array} << 32 | lanes.bytes[lane]]);
    }
    const std::size_t blocks = std::max<std::size_t>(whole_blocks(trace).size(), 1);
    return static_cast<double>(most) / static_cast<double>(blocks);
}

std::vector<std::uint32_t> whole_blocks(const Trace& trace) {
    std::vector<std::uint32_t> blocks;
    for (const std::uint32_t block : trace.segments.block)
        if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
    if (trace.warp_stops)
        for (const WarpStop& stop : *trace.warp_stops) std::erase(blocks, stop.block);
    return blocks;
}

}  // namespace tilereel
