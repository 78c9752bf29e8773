#pragma once
// One finding of find_hazards().
#include <cstdint>

#include "instrumentation/trace/trace.h"

namespace tilereel {

enum class Hazard : std::uint8_t {
    // Two threads access the same bytes of global memory, and nothing orders them: see
    // global_races.h. Or two threads of a block access the same bytes of shared memory in one
    // epoch, and at least one
    // of them writes. They are not both atomics, and no __syncwarp() of both threads is between
    // them. Different warps: an error. The same warp, different instructions: a warning on GPUs
    // with independent thread scheduling (compute capability 7.0 and up); older GPUs run a warp in
    // program order.
    kRace = 0,
    kBarrierDivergence = 1,  // threads of a block wait at different barriers, or not all of them do
    kNeverWritten = 2,       // a read of shared memory that no thread had written
    // Shared memory is accessed while an asynchronous copy to it may be pending. A thread of the
    // copying warp must access it after the copying thread has waited for the copy; a thread of
    // another warp must also pass a barrier after that. A bulk copy is over for a thread that has
    // waited for its mbarrier phase, or is ordered after such a thread. Always an error. CUDA C++
    // Programming Guide, "Asynchronous Data Copies"; PTX ISA, cp.async.wait_group: the writes are
    // made visible to the executing thread.
    kCopyUnderWay = 3,
    // A thread uses an mbarrier, and its initialisation is not ordered before the use. Always an
    // error.
    kNotInitialised = 4,
    // Lanes of one warp store different values to one word by one instruction: which value stays is
    // undefined (CUDA C++ Programming Guide, "SIMT Architecture"). Always an error.
    kDifferentValues = 5,
    // Threads of the block end without reaching a barrier that others reach. CUDA C++ Programming
    // Guide, "Synchronization Functions": __syncthreads() is allowed in conditional code only if
    // the condition is the same in the whole block. A warning: since compute capability 7.0 threads
    // that have ended count as arrived, and the trace does not tell a thread that skips the barrier
    // and ends from one that a bounds guard has ended before.
    kBarrierSkipped = 6,
    // A warpgroup's product still reads shared memory that is written: no wgmma.wait_group of it is
    // before the write. Its reads are modelled (warpgroup_reads.h). `first` is the product.
    kProductUnderWay = 7,
    // A thread's store and a product's read of it are ordered, but no fence.proxy.async is between
    // them (PTX ISA, "Async proxy"). `second` is the product.
    kNotFenced = 8,
    // The sums of a warpgroup's product: see product_groups.h. kNotCommitted: `second` is the wait.
    kProductNotWaited = 9,
    kProductNotCommitted = 10,
    kRegistersNotFenced = 11,
    kSomeWarpsOnly = 12,  // `second`: a thread of a warp that leaves it out
    // Fragments that hold other elements than they should: mixed_fragments.h. `row`: the code.
    kMixedFragments = 13,
};
enum class Severity : std::uint8_t { kError = 0, kWarning = 1 };

struct HazardParty {
    static constexpr std::uint64_t kNoRecord = ~std::uint64_t{0};
    SiteId site = 0;
    std::uint32_t thread = 0;          // within the block: (z * blockDim.y + y) * blockDim.x + x
    std::uint64_t record = kNoRecord;  // of the access; kNoRecord: of several, or of a barrier
};

// All occurrences of one hazard between the same two lines, described by the first: lowest block,
// epoch and warp.
struct Finding {
    static constexpr std::uint32_t kSameBlock = 0xffffffff;
    Hazard hazard = Hazard::kRace;
    Severity severity = Severity::kError;
    std::uint32_t block = 0, epoch = 0;
    HazardParty first{}, second{};  // kNeverWritten: only `first`; kCopyUnderWay: `first` copies;
    // kBarrierSkipped: `second` is the lowest thread that skips the barrier of `first`
    std::uint32_t second_block = kSameBlock;  // of `second`, if it is another one than `block`
    ArrayId array = kNoArray;                 // kNoArray for barriers
    std::uint32_t row = 0, column = 0;
    std::uint32_t threads = 0;  // kBarrierSkipped: of the block, that skip the barrier
    std::uint64_t cells = 0;    // number of affected elements of the array, in all blocks
};

}  // namespace tilereel
