#pragma once
// The champion's kernel for products too small, too thin or too ragged for whole tiles of
// 20_champion. A and B come by cp.async: 16 bytes a copy where rows start at multiples of 16 bytes,
// otherwise 4, so that no matrix must be copied first. Elements outside the matrices are copied as
// zeros. K is divided among the blocks of a cluster and among clusters (champion_split.cuh), and in
// the tiles named "deep" once more among the warps of a block.
//
//   C                    64x64: 4 warps, 2 x 2           64x64 deep: 4 warps, 2 across N, 2 deep in
//   +------+------+      +-------------+-------------+   k: of each stage of 32 k, warps 0 and 1
//   | tile |      |      | warp 0      | warp 1      |   take k 0..15, warps 2 and 3 k 16..31
//   +------+------+      +-------------+-------------+   warp: 32 lanes, 8 down M and 4 across N,
//   |      |      |      | warp 2      | warp 3      |   or 4 down and 8 across
//   +------+------+      +-------------+-------------+   lane: ThreadRows x 8 of C
//
// The multiply-adds run along a row of sums and back along the next, and keep_order() stands before
// each k, as in 20_champion. Without both, two of three operands lay in the same register bank:
// 1.8 cycles for a multiply-add, by the machine code, instead of 1.1.
//
// Needs  any M, N, K
#include "kernels/cuda/champion/champion_split.cuh"

// A warp has LanesDown (8 or 4) lanes down and 32 / LanesDown across, and a lane ThreadRows x 8 sums.
// WarpsDown x WarpsAcross warps share the tile's rows and columns. WarpsDeep warps share each stage's
// k: they compute the same part of the tile from different k. A copy moves WidthA floats of A, or
// WidthB floats of B.
template <int LanesDown, int ThreadRows, int WarpsDown, int WarpsAcross, int WarpsDeep, int WarpDepth,
          int Stages, int WidthA, int WidthB>
struct SmallTile {
    using LaneMap = Lanes<LanesDown>;
    static constexpr int kThreadRows = ThreadRows, kThreadColumns = 8;
    static constexpr int kWarpRows = LanesDown * ThreadRows;                        // of C
    static constexpr int kWarpColumns = LaneMap::kAcross * kThreadColumns;
    static constexpr int kRows = kWarpRows * WarpsDown, kColumns = kWarpColumns * WarpsAcross;
    static constexpr int kWarpsDown = WarpsDown, kWarpsAcross = WarpsAcross;
    static constexpr int kWarpsDeep = WarpsDeep;
    static constexpr int kWarps = WarpsDown * WarpsAcross * WarpsDeep, kThreads = 32 * kWarps;
    static constexpr int kWarpDepth = WarpDepth;  // k that a warp takes of a stage
    static constexpr int kDepth = kWarpDepth * WarpsDeep, kStages = Stages;
    static constexpr int kBlocks = 16 / kWarps;  // at least so many fit on a multiprocessor
    static constexpr int kWidthA = WidthA, kWidthB = WidthB;
    static constexpr int kFloatsA = kRows * kDepth, kFloatsB = kDepth * kColumns;  // a stage
    static constexpr int kStageFloats = kFloatsA + kFloatsB;
    static constexpr int kRowStride = kColumns + 4;  // neighbouring rows in other banks
    // After the last stage: the sums of each warp, and the tile by rows
    static constexpr int kSumFloats =
        kWarpsDeep * kRows * kColumns + (kWarpsDeep > 1 ? kRows * kRowStride : 0);
    static constexpr int kSharedBytes =
        4 * (kStages * kStageFloats > kSumFloats ? kStages * kStageFloats : kSumFloats);
};

// Pieces of 4 k of a row of A change places in shared memory, so that 8 rows lie in different banks.
// The new place is the old one XOR this.
template <int Depth>
__device__ __forceinline__ constexpr int swizzle_of(int row) {
    return Depth == 16 ? row / 2 % 4 : row % 8;
}

// Copies boxes of a matrix to shared memory, Width floats a copy, zeros where the matrix ends. Each
// thread keeps the place of its first copy; its others lie a fixed number of rows further down. The
// distance of rows is a parameter of the kernel, which takes no register.
template <int Rows, int Columns, int Width, int Threads, bool kSwizzled>
class TileLoader {
    static constexpr int kAcross = Columns / Width;       // copies a row
    static constexpr int kStep = Threads / kAcross;       // rows between a thread's copies
    static constexpr int kCopies = (Rows + kStep - 1) / kStep;

  public:
    // The first box starts at (row0, column0) of the matrix, whose rows are `stride` floats apart.
    __device__ __forceinline__ TileLoader(const float* matrix, int stride, int rows, int columns,
                                          int row0, int column0) {
        from_ = matrix + static_cast<size_t>(row0 + row()) * stride + column0 + column();
        rows_left_ = rows - row0 - row();
        columns_left_ = columns - column0 - column();
    }
    __device__ __forceinline__ void start(float* shared, int stride) const {
        const int left = columns_left_ > 0 ? rows_left_ : 0;
#pragma unroll
        for (int i = 0; i < kCopies; ++i) {
            if (Rows % kStep != 0 && row() + i * kStep >= Rows) break;
            // Eight rows further down the swizzle is the same
            constexpr int kPeriod = kSwizzled ? 8 : 1;
            const int in_period = row() + i * kStep % kPeriod;
            const int piece =
                column() / 4 ^ (kSwizzled ? swizzle_of<Columns>(in_period) : 0);
            start_copy_or_zeros<Width>(
                shared + in_period * Columns + piece * 4 + column() % 4 +
                    i * kStep / kPeriod * kPeriod * Columns,
                from_ + static_cast<long long>(i * kStep) * stride, i * kStep < left);
        }
    }
    __device__ __forceinline__ void next_columns(int columns) {
        from_ += columns, columns_left_ -= columns;
    }
    __device__ __forceinline__ void next_rows(int rows, int stride) {
        from_ += static_cast<long long>(rows) * stride, rows_left_ -= rows;
    }

  private:
    static __device__ __forceinline__ int row() { return threadIdx.x / kAcross; }
    static __device__ __forceinline__ int column() { return threadIdx.x % kAcross * Width; }
    const float* from_;
    int rows_left_, columns_left_;
};

template <class Tile>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocks)
champion_small(const float* __restrict__ A, int stride_a, const float* __restrict__ B,
               int stride_b, float* C, Shape s, ChampionRounds rounds, float alpha) {
    constexpr int kThreadRows = Tile::kThreadRows, kThreadColumns = Tile::kThreadColumns;
    constexpr int kDepth = Tile::kDepth, kStages = Tile::kStages;
    extern __shared__ __align__(1024) float shared[];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    using LaneMap = typename Tile::LaneMap;
    const int lane_row = LaneMap::row(lane), lane_col = LaneMap::column(lane);
    const int across = warp % Tile::kWarpsAcross;
    const int down = warp / Tile::kWarpsAcross % Tile::kWarpsDown;
    const int deep = warp / (Tile::kWarpsAcross * Tile::kWarpsDown);
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
        load_a.start(a, stride_a);
        load_b.start(a + Tile::kFloatsA, stride_b);
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
    constexpr int kDown = LaneMap::kDown, kApart = 4 * LaneMap::kAcross;  // rows, columns of a lane
    const int a_of_lane = (down * Tile::kWarpRows + lane_row) * kDepth;
    const int b_of_lane = Tile::kFloatsA + deep * Tile::kWarpDepth * Tile::kColumns +
                          across * Tile::kWarpColumns + lane_col * 4;
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
        const float* const a0 = shared + stage % kStages * Tile::kStageFloats + a_of_lane;
        const float* const b0 = shared + stage % kStages * Tile::kStageFloats + b_of_lane;
        float a[kThreadRows][4];     // row, k
        float b[2][kThreadColumns];  // this k and the next
        const auto read_a = [&](int r, int chunk) {
            const float4 four = *as<const float4>(
                a0 + kDown * r * kDepth +
                ((deep * (Tile::kWarpDepth / 4) + chunk) ^ swizzle_of<kDepth>(lane_row) ^
                 swizzle_of<kDepth>(kDown * r % 8)) * 4);
            a[r][0] = four.x, a[r][1] = four.y, a[r][2] = four.z, a[r][3] = four.w;
        };
        const auto read_b = [&](int k) {
#pragma unroll
            for (int c = kThreadColumns - 4; c >= 0; c -= 4) {
                const float4 four = *as<const float4>(b0 + k * Tile::kColumns + c / 4 * kApart);
                float* const to = b[k % 2] + c;
                to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
            }
        };
#pragma unroll
        for (int r = 0; r < kThreadRows; ++r) read_a(r, 0);
        read_b(0);
#pragma unroll
        for (int k = 0; k < Tile::kWarpDepth; ++k) {
            keep_order();
            if (k + 1 < Tile::kWarpDepth) read_b(k + 1);
#pragma unroll
            for (int r = 0; r < kThreadRows; ++r) {
#pragma unroll
                for (int i = 0; i < kThreadColumns; ++i) {  // serpentine, as in 20_champion
                    const int c = r % 2 == 0 ? i : kThreadColumns - 1 - i;
                    sum[r][c] = fmaf(a[r][k % 4], b[k % 2][c], sum[r][c]);
                }
                if (k % 4 == 3 && k + 1 < Tile::kWarpDepth) read_a(r, k / 4 + 1);
            }
        }
    }
    wait_for_groups<0>();
    __syncthreads();  // the stages have been read: the sums take their place

    // In fresh registers, so that the sums themselves need not be in four consecutive ones
    const auto four = [&](int r, int c) {
        return make_float4(alpha * sum[r][c], alpha * sum[r][c + 1], alpha * sum[r][c + 2],
                           alpha * sum[r][c + 3]);
    };
    const int warp_row = row0 + down * Tile::kWarpRows;
    const int warp_col = col0 + across * Tile::kWarpColumns;
    const bool shares = rounds.rounds * cluster_size() > 1;  // other blocks have sums of this tile
    const bool in_fours = rows_start_at_16_bytes(C, s.n);
    constexpr int kFours = kThreadRows * 2;  // float4s of a thread: 2 for each of its rows
    // Where lane `l` of a warp has its float4 number f
    const auto row_of = [](int l, int f) { return LaneMap::row(l) + f / 2 * kDown; };
    const auto col_of = [](int l, int f) { return LaneMap::column(l) * 4 + f % 2 * kApart; };

    if (Tile::kWarpsDeep == 1 && !shares) {
        if (!in_fours) {
            store_by_rows<LaneMap, kThreadRows, kThreadColumns>(shared, C, s, warp_row, warp_col,
                                                                four);
            return;
        }
#pragma unroll
        for (int f = 0; f < kFours; ++f)
            store4(C, s, warp_row + row_of(lane, f), warp_col + col_of(lane, f),
                   four(f / 2, f % 2 * 4));
        return;
    }

    // Sums by warp of the tile, float4, lane; those of the warps that share k one after another
    constexpr int kDeep = Tile::kWarpsDeep;
    constexpr int kPart = Tile::kRows * Tile::kColumns / 4;
    float4* const parts = as<float4>(shared);
    const int mine = (down * Tile::kWarpsAcross + across) * kFours * 32 + lane;
    // Each of the warps that share k adds up some of the float4s
    const auto adder = [](int f) { return kFours >= kDeep ? f * kDeep / kFours : f; };
#pragma unroll
    for (int f = 0; f < kFours; ++f)
        if (kDeep == 1 || adder(f) != deep)
            parts[deep * kPart + mine + f * 32] = four(f / 2, f % 2 * 4);
    if constexpr (kDeep > 1) {
        float* const rows = shared + kDeep * kPart * 4;  // the tile by rows
        constexpr int kStride = Tile::kRowStride;
        __syncthreads();  // all warps' sums are written
#pragma unroll
        for (int f = 0; f < kFours; ++f) {
            if (adder(f) != deep) continue;
            float4 all = make_float4(0, 0, 0, 0);
#pragma unroll
            for (int d = 0; d < kDeep; ++d)
                all = all + (d == deep ? four(f / 2, f % 2 * 4) : parts[d * kPart + mine + f * 32]);
            if (shares)
                parts[mine + f * 32] = all;  // no other thread reads this place before
            else if (in_fours)
                store4(C, s, warp_row + row_of(lane, f), warp_col + col_of(lane, f), all);
            else
                *as<float4>(rows + (down * Tile::kWarpRows + row_of(lane, f)) * kStride +
                            across * Tile::kWarpColumns + col_of(lane, f)) = all;
        }
        if (!shares) {
            if (in_fours) return;
            __syncthreads();  // the tile is there: neighbouring threads store neighbouring floats
            for (int i = threadIdx.x; i < Tile::kRows * Tile::kColumns; i += Tile::kThreads) {
                const int row = i / Tile::kColumns, col = i % Tile::kColumns;
                if (row0 + row < s.m && col0 + col < s.n)
                    C[static_cast<size_t>(row0 + row) * s.n + col0 + col] = rows[row * kStride + col];
            }
            return;
        }
    }
    sum_over_blocks(parts, kPart, tile, rounds, [&](int i, float4 v) {
        const int l = i % 32, f = i / 32 % kFours, w = i / 32 / kFours;
        store4(C, s, row0 + w / Tile::kWarpsAcross * Tile::kWarpRows + row_of(l, f),
               col0 + w % Tile::kWarpsAcross * Tile::kWarpColumns + col_of(l, f), v);
    });
}
