#pragma once
// The table of one build's kernels of boxes, one entry an instantiation. Included once by each
// build's file, after it has said which build it is and has included the kernel.
#include "kernels/cuda/box_kernels.cuh"
#include "kernels/cuda/kernel_table.cuh"

namespace tilereel {
namespace {

template <int TILE>
DeviceKernel champion_of(std::string_view stem, int pad) {
    using Tile = typename ChampionToWatch<TILE>::Tile;
    constexpr auto kKernel = champion<Tile, false, false>;
    return {stem, TILE, pad, address_of(kKernel),
            BoxSizes{Tile::kRows, Tile::kColumns, Tile::kDepth}};
}

std::span<const DeviceKernel> box_table() {
#define VARIANT(kernel, tile, pad) champion_of<tile>(stem, pad),
    static const std::vector<DeviceKernel> table = [] {
        std::vector<DeviceKernel> kernels;
        TILEREEL_BOX_LADDER(TILEREEL_TABLE_ROW)
        return kernels;
    }();
#undef VARIANT
    return table;
}

}  // namespace
}  // namespace tilereel
