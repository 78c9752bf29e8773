#include "instrumentation/cuda/runtime/cluster/other_block.h"

namespace tilereel::runtime {

OtherBlock other_block_of(std::uint64_t address) {
    const PlaceInCluster own = place_in_cluster();
    if (own.cluster == nullptr) return {};
    for (std::uint32_t rank = 0; rank < own.cluster->size(); ++rank) {
        if (rank == own.rank) continue;
        const std::uint64_t here = own.cluster->translated(address, rank, own.rank);
        for (std::size_t i = 0; const auto range = RunningBlock::current()->shared_range(i); ++i)
            if (here - range->base < range->bytes) return {true, rank, here};
    }
    return {};
}

}  // namespace tilereel::runtime
