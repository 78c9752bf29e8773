#pragma once
// A bulk copy that a lane started, read from its record (BoxRow).
#include <cstdint>

#include "instrumentation/cuda/runtime/warp/box_copies.h"
#include "instrumentation/gpu/convert/gpu_memory.h"
#include "instrumentation/gpu/ptx/ptx_facts.h"

namespace tilereel::gpu {

class GpuBox {
  public:
    // `words`: the record's own row, followed by the rows of BoxRow.
    GpuBox(const PtxSite& site, const std::uint32_t* words, unsigned lane);
    // The bytes that the mbarrier counts; 0 if the tensor map is unknown.
    [[nodiscard]] std::int64_t bytes(const GpuMemory& memory) const;
    // The pieces without their values; none if the tensor map is unknown.
    [[nodiscard]] runtime::BoxCopy pieces(const GpuMemory& memory) const;

  private:
    unsigned rank_ = 0;  // of the tensor; 0: contiguous bytes
    std::uint32_t to_ = 0;
    std::uint64_t from_ = 0;  // map_hash(), or the address of contiguous bytes
    int coordinates_[5] = {};
};

}  // namespace tilereel::gpu
