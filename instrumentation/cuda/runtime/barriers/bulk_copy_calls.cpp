// The functions that device code calls for bulk copies to shared memory
// (include/tilereel/shared_barriers.h).
#include <memory>
#include <string>
#include <utility>

#include "instrumentation/cuda/include/tilereel/shared_barriers.h"
#include "instrumentation/cuda/runtime/barriers/barrier_place.h"
#include "instrumentation/cuda/runtime/barriers/bulk_checks.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/cluster/running_cluster.h"

namespace tilereel::runtime {
namespace {

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
        record_barrier(SiteKind::kStartBulkCopy, barrier_address, barrier.phase(), copy.get());
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

}  // namespace

unsigned mask_of_blocks(unsigned mask) noexcept {
    if (mask == 0 && !runs_no_block())
        end_at_call("copies to no block of its cluster, because the mask is 0");
    return mask;
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
