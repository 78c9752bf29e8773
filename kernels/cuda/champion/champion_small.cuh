#pragma once
// The champion's kernel for products too small, or too ragged, for whole tiles of 20_champion: as
// many blocks as the GPU has room for, whatever M and N are, by dividing K among the blocks of a
// cluster (champion_split.cuh), and in a block once more among its warps.
//
//   C                    tile of a block, 64 x 64        8 warps: 2 across N, 4 deep in k
//   +------+------+      +-------------+-------------+   of each stage of 32 k, warps 0 and 1 take
//   | tile |      |      | warp 0      | warp 1      |   k 0..7, warps 2 and 3 k 8..15, ...
//   +------+------+      | warp 2      | warp 3      |   warp: 32 lanes, 8 down M and 4 across N
//   |      |      |      | warp 4 ...  | warp 5 ...  |   lane: 8 x 8 (ThreadRows x 8) of C, as in
//   +------+------+      +-------------+-------------+   20_champion: row lane_row + 8 r
//
// A and B come by cp.async: 16 bytes a copy where rows start at multiples of 16 bytes, otherwise 4,
// so that no matrix must be copied first. Elements outside the matrices are copied as zeros.
// The rows of A and B may be further apart than they are long, with zeros between them.
//
// Needs  any M, N, K
#include "kernels/cuda/champion/champion_split.cuh"

// WarpsAcross warps share the tile's columns. WarpsDeep warps share each stage's k: they compute the
// same part of the tile from different k. A copy moves WidthA floats of A, or WidthB floats of B.
template <int ThreadRows, int WarpsAcross, int WarpsDeep, int WidthA, int WidthB>
struct SmallTile {
    static constexpr int kThreadRows = ThreadRows, kThreadColumns = 8;
    static constexpr int kRows = 8 * ThreadRows, kColumns = 32 * WarpsAcross;  // of C
    static constexpr int kWarpsAcross = WarpsAcross, kWarpsDeep = WarpsDeep;
    static constexpr int kWarps = WarpsAcross * WarpsDeep, kThreads = 32 * kWarps;
    static constexpr int kWarpDepth = 8;  // k that a warp takes of a stage
    static constexpr int kDepth = kWarpDepth * WarpsDeep, kStages = 4;
    static constexpr int kBlocks = 2;  // at least so many fit on a multiprocessor
    static constexpr int kWidthA = WidthA, kWidthB = WidthB;
    static constexpr int kFloatsA = kRows * kDepth, kFloatsB = kDepth * kColumns;  // a stage
    static constexpr int kStageFloats = kFloatsA + kFloatsB;
    static constexpr int kPartFloats = kWarpsDeep * kRows * kColumns;  // after the last stage
    static constexpr int kSharedBytes =
        4 * (kStages * kStageFloats > kPartFloats ? kStages * kStageFloats : kPartFloats);
};

// Copies boxes of a matrix to shared memory, Width floats a copy, zeros where the matrix ends. Each
// thread keeps the place of its first copy; its others lie a fixed number of rows further down.
template <int Rows, int Columns, int Width, int Threads, bool kSwizzled>
class TileLoader {
    static constexpr int kAcross = Columns / Width;       // copies a row
    static constexpr int kStep = Threads / kAcross;       // rows between a thread's copies
    static constexpr int kCopies = (Rows + kStep - 1) / kStep;

  public:
    // The first box starts at (row0, column0) of the matrix, whose rows are `stride` floats apart.
    __device__ __forceinline__ TileLoader(const float* matrix, int stride, int rows,
                                          int columns, int row0, int column0)
        : row_(threadIdx.x / kAcross), column_(threadIdx.x % kAcross * Width) {
        matrix_ = matrix;
        from_ = matrix + static_cast<size_t>(row0 + row_) * stride + column0 + column_;
        step_ = static_cast<size_t>(stride) * kStep;
        rows_left_ = rows - row0 - row_;
        columns_left_ = columns - column0 - column_;
    }
    __device__ __forceinline__ void start(float* shared) const {
#pragma unroll
        for (int i = 0; i < kCopies; ++i) {
            const int row = row_ + i * kStep;
            if (Rows % kStep != 0 && row >= Rows) break;
            const int at = kSwizzled ? (column_ / 4 ^ row % 8) * 4 + column_ % 4 : column_;
            const bool inside = i * kStep < rows_left_ && columns_left_ > 0;
            start_copy_or_zeros<Width>(shared + row * Columns + at,
                                       inside ? from_ + i * step_ : matrix_, inside);
        }
    }
    __device__ __forceinline__ void next_columns(int columns) {
        from_ += columns, columns_left_ -= columns;
    }
    __device__ __forceinline__ void next_rows(int rows, int stride) {
        from_ += static_cast<size_t>(rows) * stride, rows_left_ -= rows;
    }

  private:
    const float* matrix_;
    const float* from_;
    size_t step_;
    int row_, column_, rows_left_, columns_left_;
};

template <class Tile>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocks)
champion_small(const float* __restrict__ A, int stride_a, const float* __restrict__ B,
               int stride_b, float* C, Shape s, ChampionRounds rounds) {
    constexpr int kThreadRows = Tile::kThreadRows, kThreadColumns = Tile::kThreadColumns;
    constexpr int kDepth = Tile::kDepth, kStages = Tile::kStages;
    extern __shared__ __align__(1024) float shared[];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int lane_row = lane / 2 % 8, lane_col = lane % 2 + lane / 16 * 2;  // as in 20_champion
    const int across = warp % Tile::kWarpsAcross, deep = warp / Tile::kWarpsAcross;
    const int tile_columns = (s.n + Tile::kColumns - 1) / Tile::kColumns;
    const int tile = part_of_block();
    const int row0 = tile / tile_columns * Tile::kRows, col0 = tile % tile_columns * Tile::kColumns;
    const ChampionRun run = run_of_block((s.k + kDepth - 1) / kDepth);

    using LoadA = TileLoader<Tile::kRows, kDepth, Tile::kWidthA, Tile::kThreads, true>;
    using LoadB = TileLoader<kDepth, Tile::kColumns, Tile::kWidthB, Tile::kThreads, false>;
    LoadA load_a(A, stride_a, s.m, s.k, row0, run.begin * kDepth);
    LoadB load_b(B, stride_b, s.k, s.n, run.begin * kDepth, col0);
    const auto fill = [&](int stage) {
        float* const a = shared + stage % kStages * Tile::kStageFloats;
        load_a.start(a);
        load_b.start(a + Tile::kFloatsA);
        load_a.next_columns(kDepth);
        load_b.next_rows(kDepth, stride_b);
    };

    const int stages = run.end - run.begin;
    let_next_launch_begin();
    wait_for_launch_before();
#pragma unroll
    for (int stage = 0; stage < kStages - 1; ++stage) {
        if (stage < stages) fill(stage);
        commit_group();
    }
    float sum[kThreadRows][kThreadColumns];
#pragma unroll
    for (int r = 0; r < kThreadRows; ++r)
#pragma unroll
        for (int c = 0; c < kThreadColumns; ++c) sum[r][c] = 0;
    for (int stage = 0; stage < stages; ++stage) {
        wait_for_groups<kStages - 2>();
        __syncthreads();  // the stage is there for all, and the one before has been read by all
        if (stage + kStages - 1 < stages) fill(stage + kStages - 1);
        commit_group();
        const float* const a = shared + stage % kStages * Tile::kStageFloats;
        const float* const b = a + Tile::kFloatsA + across * 32 + lane_col * 4 +
                               deep * Tile::kWarpDepth * Tile::kColumns;
#pragma unroll
        for (int chunk = 0; chunk < Tile::kWarpDepth / 4; ++chunk) {
            float4 a4[kThreadRows];  // 4 k of a row
#pragma unroll
            for (int r = 0; r < kThreadRows; ++r)
                a4[r] = *as<const float4>(a + (lane_row + 8 * r) * kDepth +
                                          ((deep * (Tile::kWarpDepth / 4) + chunk) ^ lane_row) * 4);
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                float4 b4[2];
                b4[0] = *as<const float4>(b + (chunk * 4 + k) * Tile::kColumns);
                b4[1] = *as<const float4>(b + (chunk * 4 + k) * Tile::kColumns + 16);
                const float b8[8] = {b4[0].x, b4[0].y, b4[0].z, b4[0].w,
                                     b4[1].x, b4[1].y, b4[1].z, b4[1].w};
#pragma unroll
                for (int r = 0; r < kThreadRows; ++r) {
                    const float a1 = k == 0   ? a4[r].x
                                     : k == 1 ? a4[r].y
                                     : k == 2 ? a4[r].z
                                              : a4[r].w;
#pragma unroll
                    for (int c = 0; c < kThreadColumns; ++c) sum[r][c] = fmaf(a1, b8[c], sum[r][c]);
                }
            }
        }
    }
    wait_for_groups<0>();
    __syncthreads();  // the stages have been read: the sums take their place

    // Sums by warp across, 4 columns of a row (two for each of the thread's rows), lane
    constexpr int kFours = kThreadRows * 2, kPart = Tile::kWarpsAcross * kFours * 32;
    float4* const parts = as<float4>(shared);
#pragma unroll
    for (int f = 0; f < kFours; ++f)
        parts[deep * kPart + (across * kFours + f) * 32 + lane] =
            make_float4(sum[f / 2][f % 2 * 4], sum[f / 2][f % 2 * 4 + 1], sum[f / 2][f % 2 * 4 + 2],
                        sum[f / 2][f % 2 * 4 + 3]);
    __syncthreads();  // all warps' sums are written
    for (int i = threadIdx.x; i < kPart; i += Tile::kThreads) {
        float4 all = parts[i];
#pragma unroll
        for (int d = 1; d < Tile::kWarpsDeep; ++d) all = all + parts[d * kPart + i];
        parts[i] = all;
    }
    sum_over_blocks(parts, kPart, tile, rounds, [&](int i, float4 v) {
        const int l = i % 32, f = i / 32 % kFours, w = i / 32 / kFours;
        store4(C, s, row0 + l / 2 % 8 + f / 2 * 8,
               col0 + w * 32 + (l % 2 + l / 16 * 2) * 4 + f % 2 * 16, v);
    });
}
