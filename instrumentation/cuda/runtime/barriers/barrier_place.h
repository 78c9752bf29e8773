#pragma once
// A barrier in shared memory: of which block of the cluster it is, its phase, and the records of
// operations on it.
#include <cstdint>

#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/running_block.h"
#include "instrumentation/cuda/runtime/warp/barriers_of_block.h"

namespace tilereel::runtime {

// Whether the call does nothing, because no thread of a block runs.
[[nodiscard]] bool runs_no_block();

// The shared array of the running block that holds the address; nullptr: none.
[[nodiscard]] const MemoryArray* shared_array(const Worker& worker, std::uint64_t address);

// Shared memory of a block of the running block's cluster.
struct SharedPlace {
    RunningBlock* block = nullptr;  // whose it is
    std::uint64_t here = 0;         // the same place in the running block's shared memory
    bool is_own = true;
};

[[nodiscard]] SharedPlace place_of(const void* pointer);

// The barrier at the address, in the phase to which the next arrival or copy belongs. `what`: what
// the thread does, for a message.
SharedBarriers::Barrier& current_barrier(const void* address, const char* what);

// Records an operation on a barrier. Its words: the barrier's offset in shared memory, the phase,
// and for kStartBulkCopy the address of the BoxCopy.
void record_at(Site& site, const void* barrier, std::uint32_t phase, const BoxCopy* copy);
// The same at the running call. Nothing is recorded where there is none.
void record_barrier(SiteKind kind, const void* barrier, std::uint32_t phase,
                    const BoxCopy* copy = nullptr);

}  // namespace tilereel::runtime
