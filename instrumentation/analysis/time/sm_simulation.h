#pragma once
// One SM in time: its schedulers, its memory pipe and its L1 cache run the streams of the blocks
// that it holds at once.
//
// Why a simulation: the busiest pipe alone says how fast a kernel can be. How fast it is also
// depends on what waits for what, and on how many warps there are to fill the gaps. In each clock
// every scheduler issues one instruction of one of its warps that waits for nothing:
//
//   scheduler 0   warps 0, 4, 8, ..   ┐                ┌ shared memory: a wavefront a clock
//   scheduler 1   warps 1, 5, 9, ..   ├─ memory pipe ──┤ L1: a line a clock
//   scheduler 2   ...                 │                └ L2, DRAM: bytes a clock, long latency
//   scheduler 3   ...                 ┘  own FMA and integer pipes
#include <cstdint>
#include <vector>

#include "instrumentation/analysis/time/block_stream.h"
#include "instrumentation/analysis/time/gpu_model.h"

namespace tilereel {

struct SmConditions {
    double miss_latency = 263;       // clocks of what L1 does not have
    std::uint32_t shared_bytes = 0;  // of all blocks: L1 has the rest
    double dram_share = 0;           // of what goes to L2: it comes from DRAM, or ends there
};

// What one site of the kernel took.
struct SiteTime {
    double memory = 0;  // clocks of the memory pipe
    double issued = 0;  // instructions of warps
    double multiply_adds = 0;
    double l2_bytes = 0;  // moved between L1 and L2
    double waited = 0;    // clocks in which a warp waited at this site for what it needs
};

struct SmRun {
    double clocks = 0;  // until the last block ends
    // As long as all blocks run: an SM that gets a new block for each that ends stays at this pace.
    double steady_clocks = 0;   // for all the instructions
    double memory = 0;          // clocks in which the memory pipe was busy
    double issued = 0;          // instructions of warps
    double multiply_adds = 0;   // of warps
    double sectors = 0;         // of global loads and copies
    double missed_sectors = 0;  // of them: not in L1
    double l2_bytes = 0;        // moved between L1 and L2
    std::vector<SiteTime> sites;
};

// `streams`: of the blocks that the SM holds at once, one for each; the same one may stand there
// more than once: its copies access other addresses. `following`: blocks that come after them, each
// as soon as one has ended. `sites`: of the trace.
[[nodiscard]] SmRun simulate_sm(const std::vector<const BlockStream*>& streams,
                                std::size_t following, const GpuModel& gpu,
                                const SmConditions& conditions, std::size_t sites);

}  // namespace tilereel
