#pragma once
// Counts for heat maps: how often each element of the global arrays was read, from global memory
// and, as a copy, from shared memory.
#include <atomic>
#include <cstdint>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// By cell (cell_bytes() of contents.h). Reads count per lane: a broadcast to 32 lanes is 32 reads.
struct ReadCounts {
    std::vector<std::uint32_t> global;  // reads of global memory, also by asynchronous copies
    std::vector<std::uint32_t> shared;  // reads of a copy in shared memory
};
struct ElementReads {
    std::vector<ReadCounts> arrays;  // by ArrayId; empty for arrays that are not in global memory
    std::uint32_t blocks = 0;        // number of counted blocks: those with records
};

// Counts the reads of all recorded blocks. A shared cell holds a copy of an element if a lane
// stored the value that it had loaded (find_flights()), or if an asynchronous copy wrote it, until
// the next store to the cell. Walks the whole trace. `done`: set to the blocks counted so far;
// `stop`: ends the count early. Both may be null.
[[nodiscard]] ElementReads count_element_reads(const Trace& trace,
                                               std::atomic<std::uint32_t>* done = nullptr,
                                               const std::atomic<bool>* stop = nullptr);

}  // namespace tilereel
