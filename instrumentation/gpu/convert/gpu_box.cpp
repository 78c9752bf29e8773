#include "instrumentation/gpu/convert/gpu_box.h"

#include "instrumentation/gpu/dump.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::gpu {

GpuBox::GpuBox(const PtxSite& site, const std::uint32_t* words, unsigned lane) : rank_(site.rank) {
    const auto word = [&](unsigned row) { return words[(1 + row) * kWarpSize + lane]; };
    to_ = word(tilereel_gpu::kBoxTo);
    ranks_ = word(tilereel_gpu::kBoxRanks);
    from_ = std::uint64_t{word(tilereel_gpu::kBoxFromHigh)} << 32 | word(tilereel_gpu::kBoxFromLow);
    for (unsigned i = 0; i < 5; ++i)
        coordinates_[i] = static_cast<int>(word(tilereel_gpu::kBoxFirst + i));
}

std::int64_t GpuBox::bytes(const GpuMemory& memory) const {
    if (rank_ == 0) return coordinates_[0];
    const runtime::TensorMap* const map = memory.map(from_);
    if (map == nullptr) return 0;
    std::int64_t bytes = map->element_bytes;
    for (unsigned i = 0; i < map->rank; ++i)
        bytes *= (map->box[i] + map->step[i] - 1) / map->step[i];
    return bytes;
}

runtime::BoxCopy GpuBox::pieces(const GpuMemory& memory) const {
    if (rank_ == 0)
        return runtime::contiguous_copy(from_, to_, static_cast<std::uint32_t>(coordinates_[0]));
    const runtime::TensorMap* const map = memory.map(from_);
    return map == nullptr ? runtime::BoxCopy() : runtime::box_copy(*map, coordinates_, to_);
}

}  // namespace tilereel::gpu
