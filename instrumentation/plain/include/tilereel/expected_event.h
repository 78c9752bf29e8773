#pragma once
// The event that the running thread is expected to do next, and the hooks that only compare with
// it. The plugin calls these hooks instead of those of the runtime, and g++ puts them inline:
// nearly always a lane does what the first lane of its warp did. The runtime includes this header,
// too.
#include <cstdint>

namespace tilereel {
namespace plain {

struct Site;
struct MemoryArray;

// An event that the first lane of the warp did at this point of its time slice: an access of an
// array or a value. The other lanes are expected to do the same.
struct Row {
    Site* site = nullptr;
    MemoryArray* array = nullptr;  // of an access
    std::uint64_t base = 0;        // access: the array's address; value: offset in the local
    std::uint32_t limit = 0;       // access: the largest valid offset
    std::uint32_t misaligned = 0;  // access: bits of an offset that must be 0
    std::uint32_t words = 0;       // number of rows in the matrix of words (words x lanes)
    std::uint32_t first_word = 0;  // the first of these rows
    std::uint32_t accesses = 0;    // that a lane makes here: more than one for a structure
    bool loads = true;             // neither a store nor an atomic
    bool slow = false;             // stores at this site always call Worker::access()
    mutable void* kept = nullptr;  // a pointer that belongs to the worker's sink
};

constexpr std::uint32_t kLanes = 32;

// The target of `next` if no event is expected. It has no site, so that it matches no hook.
extern Row nothing_expected;

// One for each CPU thread, because host code may also call device functions, before any launch and
// from threads of its own. `next` moves along the rows of the time slice, `word` down the lane's
// column.
struct Running {
    Row* next = &nothing_expected;
    bool idle = false;      // nothing is recorded, and lanes need not stop at accesses
    bool unhooked = false;  // the kernel's version without hooks runs
    bool skips_assignments = false;
    // Not adjacent to `next`: the compiler would write both in one store. The next hook reads only
    // one of them and would wait for that store (no store forwarding).
    std::uint32_t* word = nullptr;
};
extern __thread Running running __attribute__((tls_model("initial-exec")));

}  // namespace plain
}  // namespace tilereel
