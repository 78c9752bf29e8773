#define TILEREEL_BUILD_NATIVE
#include "kernels/cuda/champion_kernels.cuh"

#include "instrumentation/base/check.h"
#include "kernels/20_champion.cuh"
#include "kernels/20_champion_small.cuh"
#include "kernels/20_champion_vector.cuh"
#include "kernels/cuda/box_table.cuh"

namespace tilereel {
namespace {

__global__ void widen_rows(const float* from, float* to, int rows, int columns, int stride) {
    let_next_launch_begin();
    wait_for_launch_before();
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (column >= columns) return;
    for (int row = static_cast<int>(blockIdx.y); row < rows; row += static_cast<int>(gridDim.y)) {
        const float* const in = from + static_cast<std::size_t>(row) * columns + column;
        float4 four = {in[0], 0, 0, 0};
        if (column + 1 < columns) four.y = in[1];
        if (column + 2 < columns) four.z = in[2];
        if (column + 3 < columns) four.w = in[3];
        *as<float4>(to + static_cast<std::size_t>(row) * stride + column) = four;
    }
}

template <int Rows, int Columns, int Depth, int Blocks>
CompiledChampion bulk(bool shares) {
    using Tile = ChampionTile<Rows, Columns, Depth, Blocks>;
    return {shares ? address_of(champion<Tile, true>) : address_of(champion<Tile, false>),
            Tile::kThreads, Tile::kSharedBytes};
}

template <class Tile>
CompiledChampion small_of() {
    return {address_of(champion_small<Tile>), Tile::kThreads, Tile::kSharedBytes};
}

template <int ThreadRows, int WarpsAcross, int WarpsDeep>
CompiledChampion small(bool a, bool b) {
    if (a && b) return small_of<SmallTile<ThreadRows, WarpsAcross, WarpsDeep, 4, 4>>();
    if (a) return small_of<SmallTile<ThreadRows, WarpsAcross, WarpsDeep, 4, 1>>();
    if (b) return small_of<SmallTile<ThreadRows, WarpsAcross, WarpsDeep, 1, 4>>();
    return small_of<SmallTile<ThreadRows, WarpsAcross, WarpsDeep, 1, 1>>();
}

template <int Rows>
CompiledChampion few_rows(bool b) {
    return {b ? address_of(champion_rows<Rows, true>) : address_of(champion_rows<Rows, false>),
            kVectorThreads, 0};
}

template <int Columns>
CompiledChampion few_columns(bool a) {
    return {a ? address_of(champion_columns<Columns, 4>) : address_of(champion_columns<Columns, 1>),
            kVectorThreads, 0};
}

}  // namespace

CompiledChampion bulk_kernel(const ChampionWay& way, bool shares) {
    check(way.kernel == ChampionKernel::kBulk);
    if (way.rows == 256 && way.columns == 128) return bulk<256, 128, 32, 1>(shares);
    if (way.rows == 128) return bulk<128, 128, 16, 2>(shares);
    return way.rows == 64 ? bulk<64, 256, 16, 2>(shares) : bulk<256, 64, 16, 2>(shares);
}

CompiledChampion other_kernel(const ChampionWay& way, bool a, bool b) {
    check(way.kernel != ChampionKernel::kBulk);
    if (way.kernel == ChampionKernel::kRows) return way.rows == 1 ? few_rows<1>(b) : few_rows<4>(b);
    if (way.kernel == ChampionKernel::kColumns)
        return way.columns == 1 ? few_columns<1>(a) : few_columns<4>(a);
    if (way.columns == 64) return small<8, 2, 4>(a, b);
    if (way.rows == 64) return small<8, 1, 8>(a, b);
    return way.rows == 32 ? small<4, 1, 8>(a, b) : small<1, 1, 8>(a, b);
}

std::span<const DeviceKernel> native_box_kernels() { return box_table(); }

CompiledChampion widen_kernel() { return {address_of(widen_rows), 128, 0}; }

}  // namespace tilereel
