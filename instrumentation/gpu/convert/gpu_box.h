#pragma once
// A bulk copy that a lane started, read from its record (BoxRow). Of one to global memory
// BoxPiece::to is in shared memory, too.
#include <cstdint>

#include "instrumentation/cuda/runtime/warp/box_copies.h"
#include "instrumentation/gpu/convert/gpu_memory.h"
#include "instrumentation/gpu/ptx/ptx_facts.h"

namespace tilereel::gpu {

class GpuBox {
  public:
    // `words`: the record's own row, followed by the rows of BoxRow.
    GpuBox(const PtxSite& site, const std::uint32_t* words, unsigned lane);
    // The blocks of the cluster that get the copy, as bits by rank; 0: the block that starts it.
    [[nodiscard]] std::uint32_t ranks() const { return ranks_; }
    [[nodiscard]] bool goes_to(std::uint32_t rank, std::uint32_t own_rank) const {
        return ranks_ == 0 ? rank == own_rank : (ranks_ >> rank & 1) != 0;
    }
    // The bytes that the mbarrier counts; 0 if the tensor map is unknown.
    [[nodiscard]] std::int64_t bytes(const GpuMemory& memory) const;
    // The pieces without their values; none if the tensor map is unknown.
    [[nodiscard]] runtime::BoxCopy pieces(const GpuMemory& memory) const;

  private:
    unsigned rank_ = 0;  // of the tensor; 0: contiguous bytes
    std::uint32_t to_ = 0, ranks_ = 0;
    std::uint64_t from_ = 0;  // map_hash(), or the address of contiguous bytes
    int coordinates_[5] = {};
};

}  // namespace tilereel::gpu
