// The functions that device code calls for clusters of blocks (include/tilereel/runtime_calls.h).
#include <string>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/cluster/other_block.h"

namespace tilereel::runtime {
namespace {

void put(unsigned (&to)[3], std::uint32_t number, const Index3& extents) {
    to[0] = number % extents.x;
    to[1] = number / extents.x % extents.y;
    to[2] = number / extents.x / extents.y;
}
void put(unsigned (&to)[3], const Index3& extents) {
    to[0] = extents.x;
    to[1] = extents.y;
    to[2] = extents.z;
}

}  // namespace

void cluster_arrive() noexcept {
    const PlaceInCluster own = place_in_cluster();
    if (own.cluster != nullptr && !own.cluster->arrive(own.rank))
        end_at_call("arrives at the barrier of its cluster again, before it has waited there");
}

void cluster_wait() noexcept {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) return;
    if (block->in_cluster.cluster != nullptr) {
        if (!block->in_cluster.cluster->begin_wait(block->in_cluster.rank))
            end_at_call("waits at the barrier of its cluster, at which it has not arrived");
        block->note_barrier(BarrierReach::kCluster);
    }
    barrier_count(0);
}

void pass_cluster_barrier(RunningBlock& block) {
    if (block.in_cluster.cluster->wait(block.in_cluster.rank)) return;
    end_at_call(
        "waits for ever at the barrier of its cluster: threads of another block neither arrive "
        "there nor end",
        cudaErrorLaunchTimeout, RecordedFindingKind::kBarrierNotReached);
}

ClusterPlace cluster_place() noexcept {
    ClusterPlace place{0, 1, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}};
    const RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) return place;
    if (block->in_cluster.cluster == nullptr) {
        put(place.cluster, block->block(), block->grid());
        put(place.of_clusters, block->grid());
        return place;
    }
    const RunningCluster& cluster = *block->in_cluster.cluster;
    place.rank = block->in_cluster.rank;
    place.blocks = cluster.size();
    put(place.index, place.rank, cluster.extents());
    put(place.extents, cluster.extents());
    put(place.cluster, cluster.number(), cluster.clusters());
    put(place.of_clusters, cluster.clusters());
    return place;
}

void* mapped_shared(const void* pointer, unsigned rank) noexcept {
    const PlaceInCluster own = place_in_cluster();
    const std::uint32_t size = own.cluster == nullptr ? 1 : own.cluster->size();
    if (rank >= size && RunningBlock::current() != nullptr)
        end_at_call("maps an address to block " + std::to_string(rank) +
                    " of its cluster, which has " + std::to_string(size) +
                    (size == 1 ? " block" : " blocks"));
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (own.cluster == nullptr) return const_cast<void*>(pointer);
    const OtherBlock other = other_block_of(address);
    return reinterpret_cast<void*>(
        own.cluster->translated(other.exists ? other.here : address, own.rank, rank));
}

unsigned rank_of_shared(const void* pointer) noexcept {
    const OtherBlock other = other_block_of(reinterpret_cast<std::uint64_t>(pointer));
    return other.exists ? other.rank : place_in_cluster().rank;
}

}  // namespace tilereel::runtime
