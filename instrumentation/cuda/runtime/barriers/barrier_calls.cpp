// The functions that device code calls for mbarriers (include/tilereel/shared_barriers.h).
#include <memory>
#include <string>

#include "instrumentation/cuda/include/tilereel/shared_barriers.h"
#include "instrumentation/cuda/runtime/barriers/barrier_place.h"
#include "instrumentation/cuda/runtime/block/async_copies.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/cluster/other_block.h"
#include "instrumentation/cuda/runtime/warp/is_left_out.h"
#include "instrumentation/cuda/runtime/warp/named_barriers.h"

namespace tilereel::runtime {
namespace {

// Whether the barrier is one of a block of the cluster that has ended. An arrival there does not
// end the launch here: whether a GPU does so depends on which of the two blocks is faster.
bool comes_too_late(const void* barrier) {
    RunningBlock* const own = RunningBlock::current();
    if (own->in_cluster.cluster == nullptr || NamedBarriers::is_key(barrier)) return false;
    const OtherBlock other = other_block_of(reinterpret_cast<std::uint64_t>(barrier));
    if (!other.exists || !own->in_cluster.cluster->has_ended(other.rank)) return false;
    const Site* const call = own->call_site();
    warn_once(
        call, "arrives at a barrier of a block of its cluster that has ended",
        "The arrival did not take place here; a GPU may end the launch (\"cluster target block "
        "not present\"). Let the cluster wait, with cluster.sync(), before its blocks end.",
        call == nullptr ? 0 : call->line);
    return true;
}

// Records the copies of the phase that other blocks of the cluster have started, and the wait.
void record_wait(RunningBlock& block, const void* barrier, std::uint32_t phase) {
    for (const SharedBarriers::Landing& landing :
         block.shared_barriers().take_landings(barrier, phase))
        if (Worker::current() != nullptr && block.call_site() != nullptr &&
            landing.started_at != nullptr)
            record_at(landing_site(*block.call_site(), *landing.started_at), barrier, landing.phase,
                      landing.copy.get());
    record_barrier(SiteKind::kWaitPhase, barrier, phase);
}

}  // namespace

void init_barrier(const void* address, unsigned arrivals) noexcept {
    if (runs_no_block()) return;
    if (!place_of(address).is_own)
        end_at_call("initialises a barrier of another block of its cluster");
    SharedBarriers& barriers = RunningBlock::current()->shared_barriers();
    barriers.at(address).init(arrivals);
    if (barriers.count() > MBarrierPhase::kMostBarriers)
        end_at_call("makes more than " + std::to_string(MBarrierPhase::kMostBarriers) +
                    " barriers in shared memory: use fewer");
    record_barrier(SiteKind::kInitBarrier, address, 0);
}

unsigned long long arrive_at(const void* address, unsigned arrivals, unsigned bytes) noexcept {
    if (runs_no_block() || comes_too_late(address)) return 0;
    SharedBarriers::Barrier& barrier = current_barrier(address, "arrives at");
    if (barrier.pending() < arrivals)
        end_at_call("arrives at a barrier in shared memory more often than a phase expects");
    const std::uint32_t phase = barrier.phase();
    barrier.arrive(bytes, arrivals);
    if (arrivals != 0) record_barrier(SiteKind::kArrive, address, phase);
    if (barrier.may_complete() && !barrier.expects_bytes()) SharedBarriers::complete_phase(barrier);
    return phase;
}

void arrive_at_named(std::uint32_t number, std::uint32_t threads, bool waits) noexcept {
    if (runs_no_block()) return;
    const void* const key = NamedBarriers::key(number, threads);
    SharedBarriers::Barrier& barrier = RunningBlock::current()->shared_barriers().at(key);
    if (!barrier.initialised()) barrier.init(threads);
    if (barrier.may_complete()) SharedBarriers::complete_phase(barrier);
    const std::uint32_t phase = barrier.phase();
    barrier.arrive(0);
    record_barrier(SiteKind::kArrive, key, phase);
    if (barrier.may_complete()) SharedBarriers::complete_phase(barrier);
    if (waits) (void)wait_for_phase(key, phase, false);
}

void drop_arrival(const void* address) noexcept {
    if (!runs_no_block()) place_of(address).block->shared_barriers().at(address).drop();
}

bool wait_for_phase(const void* address, unsigned long long awaited, bool polls) noexcept {
    if (runs_no_block()) return true;
    RunningBlock& block = *RunningBlock::current();
    if (is_left_out(block.call_site())) return true;
    SharedBarriers& barriers = block.shared_barriers();
    const auto phase = static_cast<std::uint32_t>(awaited);
    const Site* const call = block.call_site();
    if (!place_of(address).is_own)
        end_at_call("waits at a barrier of another block of its cluster");
    // In a cluster, other blocks may still start copies of the phase: they come before the wait.
    const bool records_after = polls || block.in_cluster.cluster != nullptr;
    if (!records_after) record_barrier(SiteKind::kWaitPhase, address, phase);
    for (bool waited = false;; waited = true) {
        if (SharedBarriers::is_complete(barriers.at(address), phase)) break;
        if (waited && polls) return false;
        barriers.add_waiting(block.thread(), {address, phase, polls, call});
        block.stop_at_phase();
        block.set_call_site(call);
    }
    if (records_after) record_wait(block, address, phase);
    return true;
}

bool wait_for_parity(const void* address, unsigned parity, bool polls) noexcept {
    if (runs_no_block()) return true;
    const std::uint32_t phase = RunningBlock::current()->shared_barriers().at(address).phase();
    if (phase % 2 == parity % 2) return wait_for_phase(address, phase, polls);
    return phase == 0 || wait_for_phase(address, phase - 1, polls);
}

void complete_bytes(const void* address, unsigned bytes) noexcept {
    if (runs_no_block()) return;
    static const auto& nothing = *new std::shared_ptr<const BoxCopy>(new BoxCopy);
    current_barrier(address, "completes bytes of").start({bytes, nothing});
}

}  // namespace tilereel::runtime
