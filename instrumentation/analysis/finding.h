#pragma once
// One finding of find_hazards(): what went wrong, and where.
#include <cstdint>

#include "instrumentation/trace/trace.h"

namespace tilereel {

enum class Hazard : std::uint8_t {
    // Two threads of a block access the same shared bytes in one epoch, at least one of them
    // writes, not both of them by atomics, and no __syncwarp() that both take part in lies between.
    // Different warps: an error. The same warp, different instructions: a warning where lanes
    // advance on their own (compute capability 7.0 and later); before, the warp ran them in program
    // order.
    kRace = 0,
    kBarrierDivergence = 1,  // threads of a block wait at different barriers, or some pass by
    kNeverWritten = 2,       // a read of shared memory that no thread had written
    // Shared bytes are read or written while an asynchronous copy into them may be under way: by
    // a thread of the copying warp before the copying thread has waited for it, by a thread of
    // another warp before, besides, both have passed a barrier. Always an error. CUDA C++
    // Programming Guide, "Asynchronous Data Copies"; PTX ISA, cp.async.wait_group: what is waited
    // for is visible to the waiting thread.
    kCopyUnderWay = 3,
    // A thread waits or arrives at a barrier in shared memory that nothing says has been made.
    // Always an error.
    kNotMade = 4,
};
enum class Severity : std::uint8_t { kError = 0, kWarning = 1 };

struct HazardParty {
    SiteId site = 0;
    std::uint32_t thread = 0;  // within the block: (z * blockDim.y + y) * blockDim.x + x
};

// All occurrences of one hazard between two sites, told by the first: lowest block, epoch, warp.
struct Finding {
    Hazard hazard = Hazard::kRace;
    Severity severity = Severity::kError;
    std::uint32_t block = 0, epoch = 0;
    HazardParty first{}, second{};  // never written: `first` only; barriers: at their barriers;
                                    // under way: first who copies
    ArrayId array = kNoArray;       // of all but barriers
    std::uint32_t row = 0, column = 0;
    std::uint64_t cells = 0;  // distinct 4-byte cells of shared memory it strikes, over all blocks
};

}  // namespace tilereel
