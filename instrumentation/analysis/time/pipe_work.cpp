#include "instrumentation/analysis/time/pipe_work.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/trace/views.h"

namespace tilereel {

PipeWork extrapolated(const PipeWork& a, const PipeWork& b, double steps) {
    const auto at = [&](double PipeWork::*part) { return a.*part + (b.*part - a.*part) * steps; };
    return {.memory = at(&PipeWork::memory),
            .fma = at(&PipeWork::fma),
            .alu = at(&PipeWork::alu),
            .xu = at(&PipeWork::xu),
            .fp64 = at(&PipeWork::fp64),
            .tensor = at(&PipeWork::tensor),
            .issued = at(&PipeWork::issued),
            .sectors = at(&PipeWork::sectors)};
}

namespace {

// That follow one another in one slice of L2. Chosen by two launches: atomics on 104 bytes take 2.5
// lanes a clock, and on 1,024 bytes 1.95, with fewer lanes to a sector.
constexpr std::uint32_t kBytesOfSlice = 512;

// `records`: of the site, of a block.
void add_arithmetic(const Site& site, double records, const SmTimes& sm, PipeWork& work) {
    const auto count = [&](ArithmeticPipe pipe) {
        return records * site.instructions[static_cast<std::size_t>(pipe)];
    };
    for (const std::uint16_t instructions : site.instructions)
        work.issued += records * instructions;
    work.fma += count(ArithmeticPipe::kFma) / sm.fma_a_clock +
                count(ArithmeticPipe::kIntegerProducts) / sm.integer_products_a_clock;
    work.alu += count(ArithmeticPipe::kAlu) / sm.alu_a_clock;
    work.xu += count(ArithmeticPipe::kXu) / sm.xu_a_clock;
    work.fp64 += count(ArithmeticPipe::kFp64) / sm.fp64_a_clock;
}

}  // namespace

PipeWork work_of_a_block(const Trace& trace, const Generation& generation, const SmTimes& sm) {
    PipeWork work;
    const double blocks = static_cast<double>(std::max<std::size_t>(whole_blocks(trace).size(), 1));
    for (const SiteCounts& site : count_sites(trace, {}, generation)) {
        const Operation operation = trace.sites[site.site].operation;
        const Site& place = trace.sites[site.site];
        const double records = static_cast<double>(site.counts.requests) / blocks;
        if (operation != Operation::kAssign) work.issued += records;
        add_arithmetic(place, records, sm, work);
        if (operation == Operation::kMultiplyAdd)
            (place.width_bytes == sizeof(double) ? work.fp64 : work.fma) +=
                records / (place.width_bytes == sizeof(double) ? sm.fp64_a_clock : sm.fma_a_clock);
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
    return std::max({work.memory, work.fma, work.alu, work.xu, work.fp64,
                     work.tensor / sm.tensor_a_clock, work.issued / sm.schedulers});
}

double passes_of_one_slice(const Trace& trace) {
    std::unordered_map<std::uint64_t, std::uint64_t> passes;  // by array and piece
    std::uint64_t most = 0;
    for (std::uint64_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = site_at(trace, i);
        if (site.operation != Operation::kAtomic ||
            trace.arrays[site.array].space != Space::kGlobal)
            continue;
        const LaneOffsets lanes = lane_offsets(trace, i);
        std::map<std::uint32_t, std::uint32_t> of_word, of_sector;  // lanes; passes
        for (const std::uint32_t lane : lanes_in(lanes.mask)) {
            std::uint32_t& sector = of_sector[lanes.bytes[lane] / kCacheSectorBytes];
            sector = std::max(sector, ++of_word[lanes.bytes[lane]]);
        }
        for (const auto& [sector, count] : of_sector) {
            const std::uint64_t piece = sector / (kBytesOfSlice / kCacheSectorBytes);
            most = std::max(most, passes[std::uint64_t{site.array} << 32 | piece] += count);
        }
    }
    const std::size_t blocks = std::max<std::size_t>(whole_blocks(trace).size(), 1);
    return static_cast<double>(most) / static_cast<double>(blocks);
}

std::vector<double> instructions_of(const Trace& trace, const std::vector<std::uint32_t>& blocks) {
    std::vector<double> of_site;
    for (const Site& site : trace.sites)
        of_site.push_back(std::accumulate(site.instructions.begin(), site.instructions.end(),
                                          site.operation == Operation::kAssign ? 0.0 : 1.0));
    std::vector<double> all;
    for (const std::uint32_t block : blocks) {
        double sum = 0;
        const SegmentRange range = segments_of_block(trace, block);
        for (std::size_t segment = range.first; segment < range.last; ++segment)
            for (const std::uint64_t record : records_of(trace.segments, segment))
                sum += of_site[site_of(trace, record)];
        all.push_back(sum);
    }
    return all;
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
