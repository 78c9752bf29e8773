#pragma once
// An event as the runtime stores it. ExpectedEvent is the part that hooks compare.
#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/include/tilereel/expected_event.h"

namespace tilereel::runtime {

struct MemoryArray;

// The event of the lane that came first to this point of the time slice. The other lanes of the
// warp are expected to do the same.
struct Row : ExpectedEvent {
    MemoryArray* array = nullptr;       // of an access
    std::uint32_t first_word = 0;       // index of its first row in the matrix of words
    std::uint32_t accesses = 0;         // of one lane; more than one for a structure
    bool loads = true;                  // false: a store or an atomic
    mutable void* sink_data = nullptr;  // the BlockSink may store a pointer here
};

// The stacks of the block that runs on this CPU thread, where an aligned access is no event: no
// other thread sees it. Kernels that keep sums in arrays of their own do little else. `bytes` is 0
// where each access must be looked at: while wgmma writes to a thread's own variables.
struct OwnStacks {
    std::uint64_t begin = 0, bytes = 0;
};
extern __thread OwnStacks own_stacks __attribute__((tls_model("initial-exec")));

}  // namespace tilereel::runtime
