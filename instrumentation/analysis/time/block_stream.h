#pragma once
// The instructions of one recorded block, as a compiler would order them, for the simulation of an
// SM (sm_simulation.h).
//
// Why not the records as they are: they are in the order of the source. A compiler joins
// neighbouring words of shared memory that a thread reads to one load of 8 or 16 bytes, and starts
// loads before the multiply-adds that come before them in the source:
//
//   source    load a0, load b0, fma, load a1, load b1, fma, load a2, ...
//   compiled  load a0..a3, load b0, b1, b2, b3, | load b4, b5, ... , fma, fma, fma, fma, | ...
//
// Without the second, every multiply-add would wait for its own load. The instructions of addresses
// and of the count of a loop are not recorded; their number is a guess: a few for each global
// address and each trip of a loop. Other arithmetic is known by site (Site::instructions).
//
// tests/hardware/estimate.csv says how far this gets.
#include <cstdint>
#include <vector>

#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/analysis/machine/machine_instruction.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

enum class TimedKind : std::uint8_t {
    kMultiplyAdd,  // and sums and products of FP32
    kIntegerProduct,
    kInteger,
    kXu,
    kFp64,
    kIssueOnly,
    kSharedLoad,
    kSharedStore,  // and atomics on shared memory
    kGlobalLoad,
    kGlobalStore,  // and atomics on global memory
    kCopy,         // cp.async: both sides at once
    kCommit,
    kWaitCopies,
    kBarrier,
};

struct TimedOp {
    TimedKind kind = TimedKind::kMultiplyAdd;
    std::uint8_t words = 1;    // 4-byte words of a lane
    std::uint8_t spacing = 1;  // clocks between the multiply-adds of this run: more if each needs
                               // the one before it
    std::uint16_t passes = 0;  // of the memory pipe: wavefronts or lines
    std::uint32_t repeat = 1;  // instructions; of a wait for copies: groups that may stay pending
    // Loads of this warp, counted from its first, that must have arrived before.
    std::uint32_t shared_loads = 0, global_loads = 0;
    std::uint32_t first_sector = 0, sectors = 0;  // range in BlockStream::sectors
    SiteId site = 0;
    // Of machine code: what its control bits say (machine_instruction.h). Clocks until a scoreboard
    // that no memory request clears is clear.
    bool compiled = false;
    std::uint8_t waits = 0, writes = kNoScoreboard, reads = kNoScoreboard, latency = 0;
};

struct BlockStream {
    std::vector<std::vector<TimedOp>> warps;
    std::uint64_t instructions = 0;      // of all warps
    std::vector<std::uint64_t> sectors;  // array number << 40 | number of the sector in the array,
                                         // | kOfAllBlocks
    static constexpr std::uint64_t kOfAllBlocks = std::uint64_t{1} << 63;
};

// What would be different in the kernel.
enum class WhatIf : std::uint8_t {
    kNothing,
    kNoConflicts,  // each request of shared memory takes its ideal wavefronts
    kCoalesced,    // each request of global memory takes as few lines and sectors as its bytes fill
};

struct StreamOptions {
    WhatIf what_if = WhatIf::kNothing;
    // The compiler knows how often each loop runs, and unrolls it: without that, nothing is joined.
    bool known_trips = true;
    const MachineKernel* machine = nullptr;  // what nvcc has made of it; null: not known
};

// Error (kFailed) if the block has operations whose time is not modelled: bulk copies, mbarriers,
// matrix products; the message completes "the time of ... is not modelled".
Result<BlockStream> stream_of_block(const Trace& trace, std::uint32_t block,
                                    const Generation& generation,
                                    const StreamOptions& options = {});

}  // namespace tilereel
