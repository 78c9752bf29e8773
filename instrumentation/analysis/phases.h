#pragma once
// Phases: one trip of the tile loop (load, barrier, compute, barrier), found in the trace, not in
// the source.
#include <cstdint>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

enum class Part : std::uint8_t { kLoad = 0, kCompute = 1, kStore = 2 };

// The phases of one block, record by record. With block barriers: a phase begins at each epoch that
// stores to shared memory once the phase before has computed; what follows the last computing epoch
// (C's store) belongs to the last phase. An epoch that both computes and stores to shared memory
// (a prefetch) is a phase of its own; without the barrier at the end of a loop, what a warp loads
// after it has computed belongs to the next phase. Without block barriers: a warp's phase ends with
// each multiply-add into its first accumulator's group, i.e. one phase a trip of the k loop. A
// launch that is no product has one phase an epoch.
struct BlockPhases {
    std::uint32_t block = 0;
    std::uint64_t first_record = 0;  // of the block; the columns below are relative to it
    std::uint32_t count = 1;         // phases
    bool barriers = false;           // the block has block barriers, or had before one was left out
    std::vector<std::uint32_t> phase;  // per record
    std::vector<Part> part;            // per record
};
[[nodiscard]] BlockPhases phases_of_block(const Trace& trace, std::uint32_t block);

}  // namespace tilereel
