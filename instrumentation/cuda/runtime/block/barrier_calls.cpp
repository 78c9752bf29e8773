// The functions that device code calls for mbarriers and bulk copies
// (include/tilereel/shared_barriers.h).

#include <algorithm>
#include <cstring>
#include <string>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/include/tilereel/shared_barriers.h"
#include "instrumentation/cuda/runtime/block/async_copies.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/cluster/other_block.h"
#include "instrumentation/cuda/runtime/warp/barriers_of_block.h"
#include "instrumentation/cuda/runtime/warp/call_sites.h"
#include "instrumentation/cuda/runtime/warp/encoded_tensor_map.h"
#include "instrumentation/cuda/runtime/warp/is_left_out.h"
#include "instrumentation/cuda/runtime/warp/named_barriers.h"

namespace tilereel::runtime {
namespace {

const MemoryArray* shared_array(const Worker& worker, std::uint64_t address) {
    const auto& arrays = worker.shared_arrays();
    const auto found = std::ranges::find_if(
        arrays, [&](const MemoryArray& array) { return address - array.base < array.bytes; });
    return found == arrays.end() ? nullptr : &*found;
}

// Shared memory of a block of the running block's cluster.
struct SharedPlace {
    RunningBlock* block = nullptr;  // whose it is
    std::uint64_t here = 0;         // the same place in the running block's shared memory
    bool is_own = true;
};

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

// The offset of a barrier in shared memory; of a named barrier, its place behind it; of a barrier
// of another block of the cluster, its address in PTX.
std::uint32_t offset_of(const Worker& worker, const void* barrier) {
    if (NamedBarriers::is_key(barrier)) return NamedBarriers::place(barrier);
    const std::uint64_t address = place_of(barrier).here;
    if (shared_array(worker, address) == nullptr)
        end_at_call("uses a barrier that does not lie in shared memory");
    return static_cast<std::uint32_t>(shared_address(barrier));
}

// Records an operation on a barrier. Its words: the barrier's offset in shared memory, the phase,
// and for kStartBulkCopy the address of the BoxCopy.
void record_at(Site& site, const void* barrier, std::uint32_t phase, const BoxCopy* copy) {
    Worker& worker = *Worker::current();
    const auto pointer = reinterpret_cast<std::uint64_t>(copy);
    const std::uint32_t words[] = {offset_of(worker, barrier), phase,
                                   static_cast<std::uint32_t>(pointer),
                                   static_cast<std::uint32_t>(pointer >> 32)};
    worker.value(&site, words, copy == nullptr ? 2 : 4, 0);
}

void record(SiteKind kind, const void* barrier, std::uint32_t phase,
            const BoxCopy* copy = nullptr) {
    Worker* const worker = Worker::current();
    if (worker == nullptr || worker->call_site() == nullptr) return;
    record_at(barrier_site(*worker->call_site(), kind, !place_of(barrier).is_own), barrier, phase,
              copy);
}

// Records the copies of the phase that other blocks of the cluster have started, and the wait.
void record_wait(RunningBlock& block, const void* barrier, std::uint32_t phase) {
    for (const SharedBarriers::Landing& landing :
         block.shared_barriers().take_landings(barrier, phase))
        if (Worker::current() != nullptr && block.call_site() != nullptr &&
            landing.started_at != nullptr)
            record_at(landing_site(*block.call_site(), *landing.started_at), barrier, landing.phase,
                      landing.copy.get());
    record(SiteKind::kWaitPhase, barrier, phase);
}

// The barrier at the address, in the phase to which the next arrival or copy belongs. `what`: what
// the thread does, for a message.
SharedBarriers::Barrier& current_barrier(const void* address, const char* what) {
    SharedBarriers::Barrier& barrier = place_of(address).block->shared_barriers().at(address);
    if (barrier.may_complete()) SharedBarriers::complete_phase(barrier);
    if (!barrier.initialised())
        end_at_call(std::string(what) +
                    " a barrier in shared memory that no thread has initialised");
    return barrier;
}

// Whether all pieces lie in the array. `address`: BoxPiece::from or BoxPiece::to.
bool lies_in(const MemoryArray* array, const BoxCopy& copy, std::uint64_t BoxPiece::*address) {
    if (array == nullptr) return false;
    for (const BoxBatch& batch : copy.batches)
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const BoxPiece& piece = copy.pieces[batch.first + i];
            if (batch.outside && address == &BoxPiece::from) continue;
            if (piece.*address < array->base ||
                piece.*address + batch.width_bytes > array->base + array->bytes)
                return false;
        }
    return true;
}

void check_source(BoxCopy& copy, std::uint64_t first) {
    copy.from = DeviceMemory::instance().find(first);
    if (!lies_in(copy.from, copy, &BoxPiece::from))
        end_at_call("copies bytes that lie outside of the allocation, to shared memory",
                    cudaErrorIllegalAddress, RecordedFindingKind::kOutOfBounds);
}

// `to`: in the shared memory of `block`.
void check_target(BoxCopy& copy, RunningBlock& block, std::uint64_t to, std::uint32_t unit) {
    if (to % unit != 0)
        end_at_call("copies to an address in shared memory that is no multiple of " +
                        std::to_string(unit) + " bytes",
                    cudaErrorMisalignedAddress, RecordedFindingKind::kMisaligned);
    const Worker* const worker = Worker::current();
    if (worker == nullptr) return;
    copy.to = const_cast<MemoryArray*>(shared_array(static_cast<const Worker&>(block), to));
    if (!lies_in(copy.to, copy, &BoxPiece::to))
        end_at_call("copies a box beyond its array in shared memory", cudaErrorIllegalAddress,
                    RecordedFindingKind::kOutOfBounds);
}

// The type of the elements of a copy. `name`: of a type of 16 bits; or null.
struct ElementOfCopy {
    Scalar scalar = Scalar::kFloating;
    std::uint32_t bytes = 4;
    const char* name = nullptr;
};

ElementOfCopy element_of(const TensorMap& map) {
    return {map.is_floating != 0 ? Scalar::kFloating : Scalar::kUnsigned, map.element_bytes,
            map.is_bfloat16 != 0 ? "__nv_bfloat16" : nullptr};
}

enum class CopyKind : unsigned char { kOwn, kOfOtherBlock, kStore };

void set_sites(BoxCopy& copy, const Site& call, const ElementOfCopy& element, CopyKind kind) {
    for (BoxBatch& batch : copy.batches) {
        CopySites& sites = copy_sites(call, batch.width_bytes, kind != CopyKind::kStore,
                                      kind == CopyKind::kOfOtherBlock);
        for (Site* const site : {&sites.load, &sites.store}) {
            if (kind == CopyKind::kStore) site->callee = kBulkStore;
            site->scalar = element.scalar;
            site->scalar_bytes = element.bytes;
            site->type = element.name;
        }
        batch.load = &sites.load;
        batch.store = &sites.store;
    }
}

// Starts a copy whose values are known. Into the shared memory of another block of the cluster it
// is recorded there, too, where a thread waits for it.
void start(BoxCopy made, const void* barrier_address, const ElementOfCopy& element) {
    const SharedPlace place = place_of(barrier_address);
    SharedBarriers& barriers = place.block->shared_barriers();
    SharedBarriers::Barrier& barrier = current_barrier(barrier_address, "copies for");
    const Worker* const worker = Worker::current();
    const Site* const call = worker == nullptr ? nullptr : worker->call_site();
    if (call != nullptr)
        set_sites(made, *call, element, place.is_own ? CopyKind::kOwn : CopyKind::kOfOtherBlock);
    const auto copy = std::make_shared<const BoxCopy>(std::move(made));
    if (worker != nullptr) barriers.keep(copy);
    if (place.is_own)
        record(SiteKind::kStartBulkCopy, barrier_address, barrier.phase(), copy.get());
    else
        barriers.add_landing({barrier_address, barrier.phase(), copy, call});
    barrier.start({copy->bytes, copy});
}

// The blocks of the cluster to which a copy goes.
struct CopyTargets {
    std::uint64_t to = 0;  // in the running block's shared memory, or in that of one other block
    const void* barrier = nullptr;
    std::uint32_t ranks = 0;  // a bit for each block, to the same places there; 0: only `to`
    std::uint32_t unit = 1;   // `to` must be a multiple
};

// Starts the copy to each block. `made`: its pieces lie at `to`.
void start_at(const CopyTargets& targets, const BoxCopy& made, const ElementOfCopy& element) {
    const PlaceInCluster own = place_in_cluster();
    if (targets.ranks == 0) {
        BoxCopy copy = made;
        RunningBlock* const block = place_of(reinterpret_cast<const void*>(targets.to)).block;
        if (block != place_of(targets.barrier).block)
            end_at_call("copies to shared memory of one block and completes a barrier of another");
        check_target(copy, *block, targets.to, targets.unit);
        return start(std::move(copy), targets.barrier, element);
    }
    const std::uint32_t size = own.cluster == nullptr ? 1 : own.cluster->size();
    if (targets.ranks >> size != 0)
        end_at_call("copies to blocks of its cluster by the mask " + std::to_string(targets.ranks) +
                    ", but the cluster has " + std::to_string(size) +
                    (size == 1 ? " block" : " blocks"));
    for (std::uint32_t rank = 0; rank < size; ++rank) {
        if ((targets.ranks >> rank & 1) == 0) continue;
        const auto there = [&](std::uint64_t address) {
            return own.cluster == nullptr ? address
                                          : own.cluster->translated(address, own.rank, rank);
        };
        const auto* const barrier =
            reinterpret_cast<const void*>(there(reinterpret_cast<std::uint64_t>(targets.barrier)));
        BoxCopy copy = made;
        for (BoxPiece& piece : copy.pieces) piece.to = there(piece.to);
        check_target(copy, *place_of(barrier).block, there(targets.to), targets.unit);
        start(std::move(copy), barrier, element);
    }
}

// Alignment in shared memory: PTX ISA, cp.async.bulk.tensor and cp.async.bulk.
constexpr std::uint32_t kBoxUnit = 128, kBulkUnit = 16;

// The tensor map of a box that begins at these coordinates.
TensorMap tensor_map(const void* map_address, const int* coordinates, unsigned rank) {
    TensorMap map;
    std::memcpy(&map, map_address, sizeof map);
    if (map.magic != TensorMap::kMagic)
        end_at_call(
            "copies a box with a map that is not a tensor map: make one with "
            "cuTensorMapEncodeTiled");
    if (map.rank != rank)
        end_at_call("copies a box of " + std::to_string(rank) + " dimensions by a tensor map of " +
                    std::to_string(map.rank));
    // Measured on an H100: a box that does not begin at a multiple of 16 bytes is an illegal
    // instruction.
    constexpr int kBegin = 16;
    if (const int begin = coordinates[0] * map.element_bytes; begin % kBegin != 0)
        end_at_call("copies a box that begins at element " + std::to_string(coordinates[0]) +
                        " of a row, byte " + std::to_string(begin) +
                        ": a bulk copy begins at a multiple of 16 bytes",
                    cudaErrorIllegalInstruction, RecordedFindingKind::kMisaligned);
    return map;
}

// `address`: in global memory.
void check_bulk(unsigned bytes, std::uint64_t address) {
    if (bytes % kBulkUnit != 0 || address % kBulkUnit != 0)
        end_at_call(
            "copies bytes in bulk, but their address or their number is not a multiple of 16",
            cudaErrorMisalignedAddress, RecordedFindingKind::kMisaligned);
}

// A copy from shared memory takes effect at once. It is recorded as loads and stores, or atomic
// operations, of the thread that starts it. write(to, values, bytes) does the latter.
template <class Write>
void for_each_stored_piece(const BoxCopy& copy, Write write) {
    const Worker* const worker = Worker::current();
    const Site* const call = worker == nullptr ? nullptr : worker->call_site();
    for (const BoxBatch& batch : copy.batches) {
        if (batch.outside) continue;
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const BoxPiece& piece = copy.pieces[batch.first + i];
            const void* from = reinterpret_cast<const void*>(piece.to);
            std::array<unsigned char, 16> value{};
            if (call != nullptr)
                from = tilereel_load(from, &copy_sites(*call, batch.width_bytes, false).load);
            std::memcpy(value.data(), from, batch.width_bytes);
            write(reinterpret_cast<void*>(piece.from), value.data(), batch.width_bytes);
        }
    }
}

// A copy from shared to global memory takes effect at once. It is recorded as loads and stores of
// up to kLanes pieces each.
void store_pieces(BoxCopy copy, const ElementOfCopy& element) {
    copy.is_store = true;
    read_from_shared(copy);
    Worker* const worker = Worker::current();
    const Site* const call = worker == nullptr ? nullptr : worker->call_site();
    if (call != nullptr) {
        for (const BoxBatch& batch : copy.batches)
            for (std::uint32_t i = 0; i < batch.count && !batch.outside; ++i)
                worker->note_store(copy.pieces[batch.first + i].from, batch.width_bytes);
        set_sites(copy, *call, element, CopyKind::kStore);
    }
    write_to_global(copy);
    if (call == nullptr) return;
    const auto kept = std::make_shared<const BoxCopy>(std::move(copy));
    const auto pointer = reinterpret_cast<std::uint64_t>(kept.get());
    const std::uint32_t words[] = {0, 0, static_cast<std::uint32_t>(pointer),
                                   static_cast<std::uint32_t>(pointer >> 32)};
    RunningBlock::current()->shared_barriers().keep_store(kept);
    worker->value(&barrier_site(*call, SiteKind::kBulkStore, false), words, 4, 0);
}

// The same for stores to shared memory of the cluster.
void store_each_piece(const BoxCopy& copy) {
    const Worker* const worker = Worker::current();
    const Site* const call = worker == nullptr ? nullptr : worker->call_site();
    for_each_stored_piece(copy, [&](void* to, const void* value, std::uint32_t bytes) {
        if (call != nullptr) to = tilereel_store_wide(to, &copy_sites(*call, bytes, false).store);
        std::memcpy(to, value, bytes);
        if (call != nullptr) tilereel_stored(value);
    });
}

// A box in shared memory, and its place in the tensor.
BoxCopy box_from_shared(const TensorMap& map, const int* coordinates, const void* from) {
    const auto source = reinterpret_cast<std::uint64_t>(from);
    BoxCopy copy = box_copy(map, coordinates, source);
    check_source(copy, map.first);
    check_target(copy, *RunningBlock::current(), source, kBoxUnit);
    return copy;
}

// Bytes in shared memory, and their place in global memory, or with `barrier` in the shared memory
// of the block to which the barrier belongs.
BoxCopy bytes_from_shared(void* to, const void* from, unsigned bytes, const void* barrier) {
    const auto source = reinterpret_cast<std::uint64_t>(from);
    const auto target = reinterpret_cast<std::uint64_t>(to);
    check_bulk(bytes, target);
    BoxCopy copy = contiguous_copy(target, source, bytes);
    if (barrier == nullptr)
        check_source(copy, target);
    else if (place_of(to).block != place_of(barrier).block)
        end_at_call("copies to shared memory of one block and completes a barrier of another");
    check_target(copy, *RunningBlock::current(), source, kBulkUnit);
    return copy;
}

bool runs_no_block() {
    const RunningBlock* const block = RunningBlock::current();
    return block == nullptr || !block->in_thread();
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
    record(SiteKind::kInitBarrier, address, 0);
}

unsigned long long arrive_at(const void* address, unsigned arrivals, unsigned bytes) noexcept {
    if (runs_no_block() || comes_too_late(address)) return 0;
    SharedBarriers::Barrier& barrier = current_barrier(address, "arrives at");
    if (barrier.pending() < arrivals)
        end_at_call("arrives at a barrier in shared memory more often than a phase expects");
    const std::uint32_t phase = barrier.phase();
    barrier.arrive(bytes, arrivals);
    if (arrivals != 0) record(SiteKind::kArrive, address, phase);
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
    record(SiteKind::kArrive, key, phase);
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
    if (!records_after) record(SiteKind::kWaitPhase, address, phase);
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

unsigned mask_of_blocks(unsigned mask) noexcept {
    if (mask == 0 && !runs_no_block())
        end_at_call("copies to no block of its cluster, because the mask is 0");
    return mask;
}

void store_tensor_box(const void* map_address, const int* coordinates, unsigned rank,
                      const void* from) noexcept {
    if (runs_no_block()) return;
    const TensorMap map = tensor_map(map_address, coordinates, rank);
    store_pieces(box_from_shared(map, coordinates, from), element_of(map));
}

void reduce_tensor_box(const BulkReduction& reduction, const void* map_address,
                       const int* coordinates, unsigned rank, const void* from) noexcept {
    if (runs_no_block()) return;
    const TensorMap map = tensor_map(map_address, coordinates, rank);
    const BulkElement element{map.element_bytes, map.is_floating != 0, map.is_bfloat16 != 0,
                              map.is_signed != 0};
    for_each_stored_piece(box_from_shared(map, coordinates, from),
                          [&](void* to, const void* value, std::uint32_t bytes) {
                              reduction.reduce(reduction, element, to, value, bytes);
                          });
}

void store_in_bulk(void* to, const void* from, unsigned bytes) noexcept {
    if (!runs_no_block()) store_pieces(bytes_from_shared(to, from, bytes, nullptr), {});
}

void copy_shared_in_bulk(void* to, const void* from, unsigned bytes, const void* barrier) noexcept {
    if (runs_no_block()) return;
    store_each_piece(bytes_from_shared(to, from, bytes, barrier));
    complete_bytes(barrier, bytes);
}

void reduce_in_bulk(const BulkReduction& reduction, void* to, const void* from, unsigned bytes,
                    const void* barrier) noexcept {
    if (runs_no_block()) return;
    for_each_stored_piece(bytes_from_shared(to, from, bytes, barrier),
                          [&](void* there, const void* value, std::uint32_t width) {
                              reduction.reduce(reduction, {}, there, value, width);
                          });
    if (barrier != nullptr) complete_bytes(barrier, bytes);
}

void complete_bytes(const void* address, unsigned bytes) noexcept {
    if (runs_no_block()) return;
    static const auto& nothing = *new std::shared_ptr<const BoxCopy>(new BoxCopy);
    current_barrier(address, "completes bytes of").start({bytes, nothing});
}

void start_tensor_copy(void* to, const void* map_address, const int* coordinates, unsigned rank,
                       const void* barrier, unsigned blocks) noexcept {
    if (runs_no_block()) return;
    const TensorMap map = tensor_map(map_address, coordinates, rank);
    const auto target = reinterpret_cast<std::uint64_t>(to);
    BoxCopy copy = box_copy(map, coordinates, target);
    copy.swizzle_bytes = map.swizzle_bytes;
    copy.is_box = true;
    if (const Site* const call = RunningBlock::current()->call_site()) copy.line = call->line;
    check_source(copy, map.first);
    read_from_global(copy);
    start_at({target, barrier, blocks, kBoxUnit}, copy, element_of(map));
}

void start_bulk_copy(void* to, const void* from, unsigned bytes, const void* barrier,
                     unsigned blocks) noexcept {
    if (runs_no_block()) return;
    const auto source = reinterpret_cast<std::uint64_t>(from);
    const auto target = reinterpret_cast<std::uint64_t>(to);
    check_bulk(bytes, source);
    BoxCopy copy = contiguous_copy(source, target, bytes);
    check_source(copy, source);
    read_from_global(copy);
    start_at({target, barrier, blocks, kBulkUnit}, copy, {});
}

}  // namespace tilereel::runtime
