#include "instrumentation/cuda/runtime/barriers/barrier_place.h"

#include <algorithm>
#include <string>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/block/async_copies.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/cluster/other_block.h"
#include "instrumentation/cuda/runtime/warp/named_barriers.h"

namespace tilereel::runtime {
namespace {

// The offset of a barrier in shared memory; of a named barrier, its place behind it; of a barrier
// of another block of the cluster, its address in PTX.
std::uint32_t offset_of(const Worker& worker, const void* barrier) {
    if (NamedBarriers::is_key(barrier)) return NamedBarriers::place(barrier);
    const std::uint64_t address = place_of(barrier).here;
    if (shared_array(worker, address) == nullptr)
        end_at_call("uses a barrier that does not lie in shared memory");
    return static_cast<std::uint32_t>(shared_address(barrier));
}

}  // namespace

bool runs_no_block() {
    const RunningBlock* const block = RunningBlock::current();
    return block == nullptr || !block->in_thread();
}

const MemoryArray* shared_array(const Worker& worker, std::uint64_t address) {
    const auto& arrays = worker.shared_arrays();
    const auto found = std::ranges::find_if(
        arrays, [&](const MemoryArray& array) { return address - array.base < array.bytes; });
    return found == arrays.end() ? nullptr : &*found;
}

SharedPlace place_of(const void* pointer) {
    RunningBlock* const own = RunningBlock::current();
    SharedPlace place{own, reinterpret_cast<std::uint64_t>(pointer), true};
    if (own->in_cluster.cluster == nullptr || NamedBarriers::is_key(pointer)) return place;
    const OtherBlock other = other_block_of(place.here);
    if (!other.exists) return place;
    RunningCluster& cluster = *own->in_cluster.cluster;
    cluster.note_barrier_of_other_block();
    if (cluster.has_ended(other.rank))
        end_at_call("uses shared memory of a block of its cluster that has ended");
    if (cluster.may_not_have_begun(own->in_cluster.rank))
        end_at_call(
            "uses shared memory of a block of its cluster that may not have begun: let the cluster "
            "wait first");
    place = {cluster.block(other.rank), other.here, false};
    return place;
}

SharedBarriers::Barrier& current_barrier(const void* address, const char* what) {
    SharedBarriers::Barrier& barrier = place_of(address).block->shared_barriers().at(address);
    if (barrier.may_complete()) SharedBarriers::complete_phase(barrier);
    if (!barrier.initialised())
        end_at_call(std::string(what) +
                    " a barrier in shared memory that no thread has initialised");
    return barrier;
}

void record_at(Site& site, const void* barrier, std::uint32_t phase, const BoxCopy* copy) {
    Worker& worker = *Worker::current();
    const auto pointer = reinterpret_cast<std::uint64_t>(copy);
    const std::uint32_t words[] = {offset_of(worker, barrier), phase,
                                   static_cast<std::uint32_t>(pointer),
                                   static_cast<std::uint32_t>(pointer >> 32)};
    worker.value(&site, words, copy == nullptr ? 2 : 4, 0);
}

void record_barrier(SiteKind kind, const void* barrier, std::uint32_t phase, const BoxCopy* copy) {
    Worker* const worker = Worker::current();
    if (worker == nullptr || worker->call_site() == nullptr) return;
    record_at(barrier_site(*worker->call_site(), kind, !place_of(barrier).is_own), barrier, phase,
              copy);
}

}  // namespace tilereel::runtime
