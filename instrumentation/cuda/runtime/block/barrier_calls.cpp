// The functions that device code calls for mbarriers and bulk copies
// (include/tilereel/shared_barriers.h).

#include <algorithm>
#include <cstring>
#include <string>

#include "instrumentation/cuda/include/tilereel/shared_barriers.h"
#include "instrumentation/cuda/runtime/block/async_copies.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
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

[[noreturn]] void fail(const std::string& what, cudaError_t error = cudaErrorLaunchFailure,
                       RecordedFindingKind kind = RecordedFindingKind::kOther) {
    const RunningBlock* const block = RunningBlock::current();
    const Site* const call = block->call_site();
    report_and_end_launch(kind, what, error, call == nullptr ? 0 : call->line);
}

// The offset of a barrier in shared memory; of a named barrier, its place behind it.
std::uint32_t place_of(const Worker& worker, const void* barrier) {
    if (NamedBarriers::is_key(barrier)) return NamedBarriers::place(barrier);
    const auto address = reinterpret_cast<std::uint64_t>(barrier);
    const MemoryArray* const array = shared_array(worker, address);
    if (array == nullptr) fail("uses a barrier that does not lie in shared memory");
    return array->place_bytes + static_cast<std::uint32_t>(address - array->base);
}

// Records an operation on a barrier. Its words: the barrier's offset in shared memory, the phase,
// and for kStartBulkCopy the address of the BoxCopy.
void record(SiteKind kind, const void* barrier, std::uint32_t phase,
            const BoxCopy* copy = nullptr) {
    Worker* const worker = Worker::current();
    if (worker == nullptr || worker->call_site() == nullptr) return;
    const auto pointer = reinterpret_cast<std::uint64_t>(copy);
    const std::uint32_t words[] = {place_of(*worker, barrier), phase,
                                   static_cast<std::uint32_t>(pointer),
                                   static_cast<std::uint32_t>(pointer >> 32)};
    worker->value(&site_at_call(*worker->call_site(), kind), words, copy == nullptr ? 2 : 4, 0);
}

// The barrier at the address, in the phase to which the next arrival or copy belongs. `what`: what
// the thread does, for a message.
SharedBarriers::Barrier& current_barrier(RunningBlock& block, const void* address,
                                         const char* what) {
    SharedBarriers::Barrier& barrier = block.shared_barriers().at(address);
    if (barrier.may_complete()) SharedBarriers::complete_phase(barrier);
    if (!barrier.initialised())
        fail(std::string(what) + " a barrier in shared memory that no thread has initialised");
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
        fail("copies bytes that lie outside of the allocation, to shared memory",
             cudaErrorIllegalAddress, RecordedFindingKind::kOutOfBounds);
}

void check_target(BoxCopy& copy, std::uint64_t to, std::uint32_t unit) {
    if (to % unit != 0)
        fail("copies to an address in shared memory that is no multiple of " +
                 std::to_string(unit) + " bytes",
             cudaErrorMisalignedAddress, RecordedFindingKind::kMisaligned);
    const Worker* const worker = Worker::current();
    if (worker == nullptr) return;
    copy.to = const_cast<MemoryArray*>(shared_array(*worker, to));
    if (!lies_in(copy.to, copy, &BoxPiece::to))
        fail("copies a box beyond its array in shared memory", cudaErrorIllegalAddress,
             RecordedFindingKind::kOutOfBounds);
}

// `type`: the name of a type of 16 bits; or null.
void start(BoxCopy made, const void* address, Scalar scalar, std::uint32_t scalar_bytes,
           const char* type = nullptr) {
    RunningBlock& block = *RunningBlock::current();
    SharedBarriers::Barrier& barrier = current_barrier(block, address, "copies for");
    read_from_global(made);
    const Worker* const worker = Worker::current();
    if (worker != nullptr && worker->call_site() != nullptr)
        for (BoxBatch& batch : made.batches) {
            CopySites& sites = copy_sites(*worker->call_site(), batch.width_bytes, true);
            for (Site* const site : {&sites.load, &sites.store}) {
                site->scalar = scalar;
                site->scalar_bytes = scalar_bytes;
                site->type = type;
            }
            batch.load = &sites.load;
            batch.store = &sites.store;
        }
    const auto copy = std::make_shared<const BoxCopy>(std::move(made));
    if (worker != nullptr) block.shared_barriers().keep(copy);
    record(SiteKind::kStartBulkCopy, address, barrier.phase(), copy.get());
    barrier.start({copy->bytes, copy});
}

// Alignment in shared memory: PTX ISA, cp.async.bulk.tensor and cp.async.bulk.
constexpr std::uint32_t kBoxUnit = 128, kBulkUnit = 16;

// The tensor map of a box that begins at these coordinates.
TensorMap tensor_map(const void* map_address, const int* coordinates, unsigned rank) {
    TensorMap map;
    std::memcpy(&map, map_address, sizeof map);
    if (map.magic != TensorMap::kMagic)
        fail(
            "copies a box with a map that is not a tensor map: make one with "
            "cuTensorMapEncodeTiled");
    if (map.rank != rank)
        fail("copies a box of " + std::to_string(rank) + " dimensions by a tensor map of " +
             std::to_string(map.rank));
    // Measured on an H100: a box that does not begin at a multiple of 16 bytes is an illegal
    // instruction.
    constexpr int kBegin = 16;
    if (const int begin = coordinates[0] * map.element_bytes; begin % kBegin != 0)
        fail("copies a box that begins at element " + std::to_string(coordinates[0]) +
                 " of a row, byte " + std::to_string(begin) +
                 ": a bulk copy begins at a multiple of 16 bytes",
             cudaErrorIllegalInstruction, RecordedFindingKind::kMisaligned);
    return map;
}

// `address`: in global memory.
void check_bulk(unsigned bytes, std::uint64_t address) {
    if (bytes % kBulkUnit != 0 || address % kBulkUnit != 0)
        fail("copies bytes in bulk, but their address or their number is not a multiple of 16",
             cudaErrorMisalignedAddress, RecordedFindingKind::kMisaligned);
}

// A copy from shared to global memory takes effect at once. It is recorded as loads and stores of
// the thread that starts it, a piece each.
void store_pieces(const BoxCopy& copy) {
    const Worker* const worker = Worker::current();
    const Site* const call = worker == nullptr ? nullptr : worker->call_site();
    for (const BoxBatch& batch : copy.batches) {
        if (batch.outside) continue;
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const BoxPiece& piece = copy.pieces[batch.first + i];
            void* to = reinterpret_cast<void*>(piece.from);
            const void* from = reinterpret_cast<const void*>(piece.to);
            std::array<unsigned char, 16> value{};
            CopySites* const sites =
                call == nullptr ? nullptr : &copy_sites(*call, batch.width_bytes, false);
            if (sites != nullptr) from = tilereel_load(from, &sites->load);
            std::memcpy(value.data(), from, batch.width_bytes);
            if (sites != nullptr) to = tilereel_store_wide(to, &sites->store);
            std::memcpy(to, value.data(), batch.width_bytes);
            if (sites != nullptr) tilereel_stored(value.data());
        }
    }
}

bool runs_no_block() {
    const RunningBlock* const block = RunningBlock::current();
    return block == nullptr || !block->in_thread();
}

}  // namespace

void init_barrier(const void* address, unsigned arrivals) noexcept {
    if (runs_no_block()) return;
    SharedBarriers& barriers = RunningBlock::current()->shared_barriers();
    barriers.at(address).init(arrivals);
    if (barriers.count() > MBarrierPhase::kMostBarriers)
        fail("makes more than " + std::to_string(MBarrierPhase::kMostBarriers) +
             " barriers in shared memory: use fewer");
    record(SiteKind::kInitBarrier, address, 0);
}

unsigned long long arrive_at(const void* address, unsigned arrivals, unsigned bytes) noexcept {
    if (runs_no_block()) return 0;
    SharedBarriers::Barrier& barrier =
        current_barrier(*RunningBlock::current(), address, "arrives at");
    if (barrier.pending() < arrivals)
        fail("arrives at a barrier in shared memory more often than a phase expects");
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
    if (!runs_no_block()) RunningBlock::current()->shared_barriers().at(address).drop();
}

bool wait_for_phase(const void* address, unsigned long long awaited, bool polls) noexcept {
    if (runs_no_block()) return true;
    RunningBlock& block = *RunningBlock::current();
    if (is_left_out(block.call_site())) return true;
    SharedBarriers& barriers = block.shared_barriers();
    const auto phase = static_cast<std::uint32_t>(awaited);
    const Site* const call = block.call_site();
    if (!polls) record(SiteKind::kWaitPhase, address, phase);
    for (bool waited = false;; waited = true) {
        if (SharedBarriers::is_complete(barriers.at(address), phase)) break;
        if (waited && polls) return false;
        barriers.add_waiting(block.thread(), {address, phase, polls, call});
        block.stop_at_phase();
        block.set_call_site(call);
    }
    if (polls) record(SiteKind::kWaitPhase, address, phase);
    return true;
}

bool wait_for_parity(const void* address, unsigned parity, bool polls) noexcept {
    if (runs_no_block()) return true;
    const std::uint32_t phase = RunningBlock::current()->shared_barriers().at(address).phase();
    if (phase % 2 == parity % 2) return wait_for_phase(address, phase, polls);
    return phase == 0 || wait_for_phase(address, phase - 1, polls);
}

void store_tensor_box(const void* map_address, const int* coordinates, unsigned rank,
                      const void* from) noexcept {
    if (runs_no_block()) return;
    const TensorMap map = tensor_map(map_address, coordinates, rank);
    const auto source = reinterpret_cast<std::uint64_t>(from);
    BoxCopy copy = box_copy(map, coordinates, source);
    check_source(copy, map.first);
    check_target(copy, source, kBoxUnit);
    store_pieces(copy);
}

void store_in_bulk(void* to, const void* from, unsigned bytes) noexcept {
    if (runs_no_block()) return;
    const auto source = reinterpret_cast<std::uint64_t>(from);
    const auto target = reinterpret_cast<std::uint64_t>(to);
    check_bulk(bytes, target);
    BoxCopy copy = contiguous_copy(target, source, bytes);
    check_source(copy, target);
    check_target(copy, source, kBulkUnit);
    store_pieces(copy);
}

void start_tensor_copy(void* to, const void* map_address, const int* coordinates, unsigned rank,
                       const void* barrier) noexcept {
    if (runs_no_block()) return;
    const TensorMap map = tensor_map(map_address, coordinates, rank);
    const auto target = reinterpret_cast<std::uint64_t>(to);
    BoxCopy copy = box_copy(map, coordinates, target);
    copy.swizzle_bytes = map.swizzle_bytes;
    copy.is_box = true;
    if (const Site* const call = RunningBlock::current()->call_site()) copy.line = call->line;
    check_source(copy, map.first);
    check_target(copy, target, kBoxUnit);
    start(std::move(copy), barrier, map.is_floating != 0 ? Scalar::kFloating : Scalar::kUnsigned,
          map.element_bytes, map.is_bfloat16 != 0 ? "__nv_bfloat16" : nullptr);
}

void start_bulk_copy(void* to, const void* from, unsigned bytes, const void* barrier) noexcept {
    if (runs_no_block()) return;
    const auto source = reinterpret_cast<std::uint64_t>(from);
    const auto target = reinterpret_cast<std::uint64_t>(to);
    check_bulk(bytes, source);
    BoxCopy copy = contiguous_copy(source, target, bytes);
    check_source(copy, source);
    check_target(copy, target, kBulkUnit);
    start(std::move(copy), barrier, Scalar::kFloating, 4);
}

}  // namespace tilereel::runtime
