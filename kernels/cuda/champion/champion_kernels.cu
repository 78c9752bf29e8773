#include "kernels/cuda/champion/champion_kernels.cuh"

#include "instrumentation/base/check.h"
#include "kernels/cuda/champion/champion_bulk.cuh"
#include "kernels/cuda/champion/champion_small.cuh"
#include "kernels/cuda/champion/champion_vector.cuh"

namespace tilereel {
namespace {

template <class T>
const void* address_of(T* kernel) {
    return reinterpret_cast<const void*>(kernel);
}

// Makes the copies of Widening, one run by each warp; neighbouring lanes copy neighbouring columns.
// With so many reads in flight, reads of 4 bytes a lane are as fast as reads of 16 bytes.
__global__ void __launch_bounds__(kWidenThreads) widen_rows(Widening a, Widening b) {
    const int lane = threadIdx.x % 32;
    int run = static_cast<int>(blockIdx.x * (kWidenThreads / 32) + threadIdx.x / 32);
    const bool first = run < a.runs();
    const Widening matrix = first ? a : b;
    if (!first) run -= a.runs();
    if (run >= matrix.runs()) return;
    const int row = run / matrix.runs_of_row();
    const int column = run % matrix.runs_of_row() * kWidenRun + lane;
    const float* const from = matrix.from + static_cast<std::size_t>(row) * matrix.columns + column;
    float* const to = matrix.to + static_cast<std::size_t>(row) * matrix.stride() + column;
    float values[kWidenRun / 32];
    wait_for_launch_before();
    let_next_launch_begin();
#pragma unroll
    for (int i = 0; i < kWidenRun / 32; ++i)
        values[i] = column + i * 32 < matrix.columns ? __ldcs(from + i * 32) : 0;
#pragma unroll
    for (int i = 0; i < kWidenRun / 32; ++i)
        if (column + i * 32 < matrix.stride()) to[i * 32] = values[i];
}

template <int Rows, int Columns, int Depth, int Blocks>
CompiledChampion bulk(bool shares, bool c_in_fours) {
    using Tile = ChampionTile<Rows, Columns, Depth, Blocks>;
    const void* const whole = c_in_fours ? address_of(champion<Tile, false, false>)
                                         : address_of(champion<Tile, false, true>);
    return {shares ? address_of(champion<Tile, true, false>) : whole, Tile::kThreads,
            Tile::kSharedBytes, Tile::kDepth * static_cast<int>(sizeof(float))};
}

template <class Tile>
CompiledChampion small_of() {
    return {address_of(champion_small<Tile>), Tile::kThreads, Tile::kSharedBytes};
}

// The tile of C, by the parameters of SmallTile.
template <int... Tile>
CompiledChampion small(bool a, bool b) {
    if (a && b) return small_of<SmallTile<Tile..., 4, 4>>();
    if (a) return small_of<SmallTile<Tile..., 4, 1>>();
    if (b) return small_of<SmallTile<Tile..., 1, 4>>();
    return small_of<SmallTile<Tile..., 1, 1>>();
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

CompiledChampion bulk_kernel(const ChampionConfig& config, bool shares, bool c_in_fours) {
    if (config.name == "128x128") return bulk<128, 128, 16, 2>(shares, c_in_fours);
    if (config.name == "64x256") return bulk<64, 256, 16, 2>(shares, c_in_fours);
    if (config.name == "256x64") return bulk<256, 64, 16, 2>(shares, c_in_fours);
    check(config.name == "256x128");
    return bulk<256, 128, 32, 1>(shares, c_in_fours);
}

CompiledChampion other_kernel(const ChampionConfig& config, bool a, bool b) {
    if (config.kernel == ChampionKernel::kRows)
        return config.rows == 1 ? few_rows<1>(b) : few_rows<4>(b);
    if (config.kernel == ChampionKernel::kColumns)
        return config.columns == 1 ? few_columns<1>(a) : few_columns<4>(a);
    if (config.name == "64x128") return small<8, 8, 1, 4, 1, 16, 4>(a, b);
    if (config.name == "64x64") return small<8, 4, 2, 2, 1, 16, 4>(a, b);
    if (config.name == "64x64 deep") {
        // With the deeper stage, ptxas puts the sums of this one into the wrong register bank
        if (a && b) return small_of<SmallTile<8, 8, 1, 2, 2, 8, 4, 4, 4>>();
        return small<8, 8, 1, 2, 2, 16, 4>(a, b);
    }
    if (config.name == "32x64") return small<8, 4, 1, 2, 1, 16, 4>(a, b);
    if (config.name == "32x64 deep") return small<4, 8, 1, 1, 4, 8, 4>(a, b);
    if (config.name == "64x32 deep") return small<8, 8, 1, 1, 4, 8, 4>(a, b);
    if (config.name == "32x32 deep") return small<8, 4, 1, 1, 8, 8, 4>(a, b);
    if (config.name == "16x64 deep") return small<4, 4, 1, 1, 8, 8, 4>(a, b);
    check(config.name == "8x32 deep");
    return small<8, 1, 1, 1, 8, 8, 4>(a, b);
}

CompiledChampion widen_kernel() { return {address_of(widen_rows), kWidenThreads, 0}; }

}  // namespace tilereel
