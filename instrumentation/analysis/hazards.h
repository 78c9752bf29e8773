#pragma once
// What may go wrong when the same block runs in another order: races in shared memory, barriers
// that not all threads share, reads of shared memory that nobody wrote. Found in the trace alone:
// which thread the recorder happened to run first changes nothing.
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

enum class Hazard : std::uint8_t {
    // Two threads of a block access the same shared bytes in one epoch, at least one of them
    // writes, not both of them by atomics,
    // and no __syncwarp() that both take part in lies between. Different warps: an error. The same
    // warp, different instructions: a warning where lanes advance on their own (compute capability
    // 7.0 and later); before, the warp ran them in program order.
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
    // Always
    // an error.
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

// Errors before warnings, then by lines.
[[nodiscard]] std::vector<Finding> find_hazards(
    const Trace& trace, const Generation& generation = default_generation());
// "thread (3,1) of warp 0", in a block of three dimensions "thread (3,1,0) of warp 0"; by its
// number within the block.
[[nodiscard]] std::string name_of_thread(const Trace& trace, std::uint32_t thread);
// One sentence that names both sides and what to do.
[[nodiscard]] std::string sentence_of(const Trace& trace, const Finding& finding);
// What happened and what to do about it.
[[nodiscard]] std::string sentence_of(const RecordedFinding& finding);

}  // namespace tilereel
