#pragma once
// A bulk copy that a lane has asked for, as its record tells of it (BoxRow).
#include <cstdint>

#include "instrumentation/plain/gpu/gpu_memory.h"
#include "instrumentation/plain/gpu/ptx_patch.h"
#include "instrumentation/plain/runtime/box_copies.h"

namespace tilereel::plain {

class GpuBox {
  public:
    // `words`: the record's own row, with those of BoxRow behind it.
    GpuBox(const PtxSite& site, const std::uint32_t* words, unsigned lane);
    // What the barrier counts; 0: the map is not known.
    [[nodiscard]] std::int64_t bytes(const GpuMemory& memory) const;
    // By pieces, without their values; none where the map is not known.
    [[nodiscard]] BoxCopy pieces(const GpuMemory& memory) const;

  private:
    unsigned rank_ = 0;  // 0: bytes
    std::uint32_t to_ = 0;
    std::uint64_t from_ = 0;  // address, or the map's hash
    int coordinates_[5] = {};
};

}  // namespace tilereel::plain
