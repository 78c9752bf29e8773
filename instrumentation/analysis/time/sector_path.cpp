#include "instrumentation/analysis/time/sector_path.h"

#include <algorithm>
#include <cmath>

namespace tilereel {
namespace {

constexpr double kLately = 4000;  // clocks
constexpr double kMostLoad = 0.8;
constexpr std::uint64_t kSectorsOfLine = kCacheLineBytes / kCacheSectorBytes;

// L1 has what shared memory leaves of the SM's memory.
std::size_t lines_of_l1(const SmTimes& sm, const SmConditions& conditions) {
    const auto bytes = static_cast<std::size_t>(sm.l1_bytes);
    const std::size_t shared = std::min<std::size_t>(conditions.shared_bytes, bytes);
    return std::max<std::size_t>((bytes - shared) / kCacheLineBytes, 1);
}

}  // namespace

SectorPath::SectorPath(const GpuModel& gpu, const SmConditions& conditions)
    : gpu_(gpu), conditions_(conditions), l1_(lines_of_l1(gpu.sm, conditions)) {}

// The clock at which L2, and if it takes part DRAM, have served a sector of this SM.
double SectorPath::move_sector(double clock, std::uint32_t of_line) {
    const double by_bytes = kCacheSectorBytes / gpu_.l2_bytes_a_clock;
    const auto so_far = [&](std::uint32_t sectors) {
        return sectors == 0 ? 0 : std::max(by_bytes * sectors, gpu_.l2_line_clocks);
    };
    l2_free_ = std::max(l2_free_, clock) + so_far(of_line + 1) - so_far(of_line);
    const double dram_a_clock = gpu_.dram_gbs / gpu_.clock_ghz / gpu_.multiprocessors;
    const double served = kCacheSectorBytes * conditions_.dram_share / dram_a_clock;
    dram_free_ = std::max(dram_free_, clock) + served;
    if (clock > loaded_until_) {
        dram_load_ *= std::exp((loaded_until_ - clock) / kLately);
        loaded_until_ = clock;
    }
    dram_load_ += served / kLately;
    return std::max(l2_free_, dram_free_);
}

// As often from DRAM as the share says, evenly.
bool SectorPath::is_in_l2() {
    missed_ += conditions_.missed_share;
    if (missed_ < 1) return true;
    missed_ -= 1;
    return false;
}

// Lines meet in the queues of DRAM's banks by chance: that of M/M/1, "Queueing Systems" by
// Kleinrock. One that waits long holds up its warp, and at a barrier its block.
double SectorPath::wait_for_dram() {
    chance_ = chance_ * 1664525u + 1013904223u;
    const double load = std::min(dram_load_, kMostLoad);
    return gpu_.dram_queue * load / (1 - load) * -std::log((chance_ / 256 + 1) / 16777217.0);
}

Fetched SectorPath::fetch(const TimedOp& op, const BlockStream& stream, std::uint64_t tag,
                          double begin) {
    Fetched found{.there = begin + gpu_.sm.l1_hit + op.passes - 1};
    std::uint64_t missed_line = ~std::uint64_t{0};
    double latency = 0, waits = 0;
    std::uint32_t of_line = 0;
    for (std::uint32_t i = 0; i < op.sectors; ++i) {
        std::uint64_t sector = stream.sectors[op.first_sector + i];
        if ((sector & BlockStream::kOfAllBlocks) == 0) sector |= tag << 55;
        bool missed = false;
        double& arrives = *l1_.look_up(sector, missed);
        if (missed) {
            ++found.missed_sectors;
            if (sector / kSectorsOfLine != missed_line) {
                ++found.missed_lines;
                of_line = 0;
                const bool in_l2 = is_in_l2();
                latency = in_l2 ? gpu_.l2_latency : gpu_.dram_latency;
                waits = in_l2 ? 0 : wait_for_dram();
            }
            missed_line = sector / kSectorsOfLine;
            arrives = std::max(move_sector(begin, of_line++), begin + waits) + latency;
        }
        found.there = std::max(found.there, arrives);
    }
    return found;
}

// A line takes its time on the way to L2, however few of its sectors are stored.
void SectorPath::store(const TimedOp& op, const BlockStream& stream, double begin) {
    for (std::uint32_t i = 0; i < op.sectors;) {
        const std::uint64_t* const sector = &stream.sectors[op.first_sector + i];
        std::uint32_t of_line = 1;
        while (i + of_line < op.sectors &&
               sector[of_line] / kSectorsOfLine == sector[0] / kSectorsOfLine)
            ++of_line;
        const double moved =
            std::max(gpu_.l2_line_clocks, of_line * kCacheSectorBytes / gpu_.l2_bytes_a_clock);
        l2_free_ = std::max(l2_free_, begin) + std::max(0.0, gpu_.stored_line_clocks - moved);
        for (std::uint32_t each = 0; each < of_line; ++each) move_sector(begin, each);
        i += of_line;
    }
}

}  // namespace tilereel
