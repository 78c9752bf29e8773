#pragma once
// What the hooks need at hand: what the running thread is expected to do next.
#include <cstdint>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

struct MemoryArray;

// An event that the first lane of the warp did at this point of its turn: an access of an array, a
// value. The other lanes are expected to do the same.
struct Row {
    Site* site = nullptr;
    MemoryArray* array = nullptr;  // of an access
    std::uint64_t base = 0;        // access: the array's address; value: offset in the local
    std::uint32_t limit = 0;       // access: the last offset that is inside
    std::uint32_t misaligned = 0;  // access: bits of an offset that must be 0
    std::uint32_t words = 0;       // rows of the matrix of words that it takes
    std::uint32_t first_word = 0;  // the first of them
    bool slow = false;             // never taken by the hooks alone
    mutable void* kept = nullptr;  // what the sink of the worker's events keeps of it
};

inline constexpr std::uint32_t kLanes = 32;

// Expected where nothing is: no site equals it, so nobody writes it.
extern constinit Row nothing_expected;

// Of a thread of the host's: host code calls device functions, too, before any launch and from
// threads of its own. `next` walks along the rows of the turn, `word` down the lane's column.
struct Running {
    Row* next = &nothing_expected;
    bool idle = false;      // nothing is recorded, and lanes need not stop at accesses
    bool unhooked = false;  // the kernel's version without hooks runs
    bool skips_assignments = false;
    // Not beside `next`: the compiler would write both at once, and the next hook's read of one of
    // them would wait for that.
    std::uint32_t* word = nullptr;
};
extern thread_local constinit Running running [[gnu::tls_model("initial-exec")]];

}  // namespace tilereel::plain
