#pragma once
// Addresses in the shared memory of other blocks of the cluster.
#include <cstdint>

#include "instrumentation/cuda/runtime/cluster/running_cluster.h"

namespace tilereel::runtime {

struct OtherBlock {
    bool exists = false;
    std::uint32_t rank = 0;
    std::uint64_t here = 0;  // the same place in the running block's shared memory
};
// The other block of the running block's cluster in whose shared memory the address lies.
[[nodiscard]] OtherBlock other_block_of(std::uint64_t address);

}  // namespace tilereel::runtime
