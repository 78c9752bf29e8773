#pragma once
// What hooks read at each event (expected_event.h), and what the runtime knows of it besides.
#include "instrumentation/plain/hooks.h"
#include "instrumentation/plain/include/tilereel/expected_event.h"

namespace tilereel::plain {

struct MemoryArray;

// An event that the first lane of the warp did at this point of its time slice. The other lanes are
// expected to do the same.
struct Row : ExpectedEvent {
    MemoryArray* array = nullptr;  // of an access
    std::uint32_t first_word = 0;  // the first of its rows in the matrix of words
    std::uint32_t accesses = 0;    // that a lane makes here: more than one for a structure
    bool loads = true;             // neither a store nor an atomic
    mutable void* kept = nullptr;  // a pointer that belongs to the worker's sink
};

}  // namespace tilereel::plain
