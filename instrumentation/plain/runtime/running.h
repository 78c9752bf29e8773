#pragma once
// What the hooks read and write at each event: what the running thread is expected to do next.
#include <cstdint>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

struct MemoryArray;

// An event that the first lane of the warp did at this point of its turn: an access of an array or
// a value. The other lanes are expected to do the same.
struct Row {
    Site* site = nullptr;
    MemoryArray* array = nullptr;  // of an access
    std::uint64_t base = 0;        // access: the array's address; value: offset in the local
    std::uint32_t limit = 0;       // access: the last offset that is inside
    std::uint32_t misaligned = 0;  // access: bits of an offset that must be 0
    std::uint32_t words = 0;       // rows that it takes in the matrix of words
    std::uint32_t first_word = 0;  // the first of these rows
    bool slow = false;             // a store here always goes to Worker::access()
    mutable void* kept = nullptr;  // for the sink of the worker's events to keep a pointer
};

inline constexpr std::uint32_t kLanes = 32;

// What `next` points to where no event is expected. It has no site, so no hook takes it.
extern constinit Row nothing_expected;

// One for each CPU thread, because host code may call device functions, too, before any launch and
// from threads of its own. `next` moves along the rows of the turn, `word` down the lane's column.
struct Running {
    Row* next = &nothing_expected;
    bool idle = false;      // nothing is recorded, and lanes need not stop at accesses
    bool unhooked = false;  // the kernel's version without hooks runs
    bool skips_assignments = false;
    // Not beside `next`: the compiler would write both in one store, and when the next hook reads
    // one of them, the CPU would have to wait for that store.
    std::uint32_t* word = nullptr;
};
extern thread_local constinit Running running [[gnu::tls_model("initial-exec")]];

}  // namespace tilereel::plain
