#pragma once
// How often each element of the global arrays was read: from global memory, and as a copy from
// shared memory. What the heat maps show.
#include <atomic>
#include <cstdint>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// By cell (cell_bytes() of contents.h). A read is one lane's: a broadcast to 32 lanes is 32 reads.
struct ReadCounts {
    std::vector<std::uint32_t> global;  // by requests to global memory, copies to shared included
    std::vector<std::uint32_t> shared;  // by requests to shared memory that held a copy of it
};
struct ElementReads {
    std::vector<ReadCounts> arrays;  // by ArrayId; empty for what is not in global memory
    std::uint32_t blocks = 0;        // that were counted: those that the trace has records of
};

// Of all recorded blocks. A shared cell holds a copy of an element where a lane stored the value
// that it had loaded (find_flights()), or where an asynchronous copy brought it; until the next
// store to the cell. Walks the whole trace. `done`: blocks so far; `stop`: gives up. May be null.
[[nodiscard]] ElementReads count_element_reads(const Trace& trace,
                                               std::atomic<std::uint32_t>* done = nullptr,
                                               const std::atomic<bool>* stop = nullptr);

}  // namespace tilereel
