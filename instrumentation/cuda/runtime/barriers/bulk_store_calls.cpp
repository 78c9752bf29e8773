// The functions that device code calls for bulk copies and reductions from shared memory
// (include/tilereel/shared_barriers.h).
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/include/tilereel/shared_barriers.h"
#include "instrumentation/cuda/runtime/barriers/barrier_place.h"
#include "instrumentation/cuda/runtime/barriers/bulk_checks.h"
#include "instrumentation/cuda/runtime/block/async_copies.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"

namespace tilereel::runtime {
namespace {

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

}  // namespace

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

}  // namespace tilereel::runtime
