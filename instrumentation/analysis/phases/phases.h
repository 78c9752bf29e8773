#pragma once
// Finds the phases of a block in the trace. A phase is one iteration of the tile loop: load,
// barrier, compute, barrier.
#include <cstdint>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

enum class Part : std::uint8_t { kLoad = 0, kCompute = 1, kStore = 2 };

// The phases of one block, record by record.
// - With bulk copies: a phase of a warp begins where it first waits for an mbarrier phase that
//   bulk copies complete.
// - Otherwise with block barriers: a phase begins at each epoch that stores to shared memory, if
//   the phase before has computed. Everything after the last computing epoch (the store of C)
//   belongs to the last phase. An epoch that both computes and stores to shared memory (a prefetch)
//   is a phase of its own. If the epoch overwrites what it reads, the barrier at the end of the
//   loop's body is missing: a warp's loads into shared memory after its last multiply-add of the
//   epoch belong to the next phase. A store that brings C through shared memory begins none.
// - Without block barriers: a phase of a warp is one iteration of its k loop (loop_trips.h).
// - A launch that is not a product has one phase for each epoch.
struct BlockPhases {
    std::uint32_t block = 0;
    std::uint64_t first_record = 0;    // of the block; the columns below are relative to it
    std::uint32_t count = 1;           // number of phases
    bool barriers = false;             // the kernel has block barriers, even if one was left out
    std::vector<std::uint32_t> phase;  // per record
    std::vector<Part> part;            // per record
};
[[nodiscard]] BlockPhases phases_of_block(const Trace& trace, std::uint32_t block);

}  // namespace tilereel
