#pragma once
// The event that the running thread is expected to do next: nearly always what the first lane of
// its warp did. The runtime and the inline hooks (inline_hooks.h) share it.
#include <cstdint>

namespace tilereel {
namespace runtime {

struct Site;

// An access of an array, or a value. The structure is small, because a long time slice has many
// events.
struct ExpectedEvent {
    Site* site = nullptr;
    std::uint64_t base = 0;       // access: the array's address; value: offset in the local
    std::uint32_t limit = 0;      // access: the largest valid offset
    std::uint16_t words = 0;      // its rows in the matrix of words, which has a column per lane
    std::uint8_t misaligned = 0;  // access: bits of an offset that must be 0
    bool slow = false;            // stores at this site always call Worker::access()
};

constexpr std::uint32_t kLanes = 32;

// The target of `next` if no event is expected. It has no site, so that it matches no hook.
extern ExpectedEvent nothing_expected;

// One for each CPU thread, because host code may also call device functions, before any launch and
// from threads of its own. `next` moves along the events of the time slice, `word` down the lane's
// column.
struct Running {
    ExpectedEvent* next = &nothing_expected;
    bool idle = false;      // nothing is recorded, and lanes need not stop at accesses
    bool unhooked = false;  // the kernel's version without hooks runs
    bool skips_assignments = false;
    // Not adjacent to `next`: the compiler would write both in one store. The next hook reads only
    // one of them and would wait for that store (no store forwarding).
    std::uint32_t* word = nullptr;
};
extern __thread Running running __attribute__((tls_model("initial-exec")));

}  // namespace runtime
}  // namespace tilereel
