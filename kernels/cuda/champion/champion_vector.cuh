#pragma once
// The champion's kernels for a vector, or a few of them, times a matrix. There are 2 FLOP for each
// float of the matrix, so only the bandwidth of global memory counts: read it once, 16 bytes a
// lane, many reads in flight in every warp, on all multiprocessors.
//
//   champion_rows: A of 1 to 4 rows          champion_columns: B of 1 to 4 columns
//   B  128 columns a block, 4 a lane         A  4 rows a warp, 4 neighbours of each a lane
//      +---------------------------+            +---------------------------+
//   k0 | lane 0 | lane 1 | ... 31  | warp 0     | lane 0 | lane 1 | ... 31  | row 0
//   k1 | lane 0 | lane 1 | ... 31  | warp 1     | lane 0 | lane 1 | ... 31  | row 1
//      +---------------------------+            +---------------------------+
//   A lane's sums are its columns of C.      A warp's sums are added up across its lanes.
//   Warps and blocks share k.                Warps and blocks share rows, k, or both.
//
// The first lines are prefetched into the L2 while the launch before still runs.
//
// Needs  any M up to 4 (rows) or N up to 4 (columns), any K; kFours and Width 4: rows that
//        start at multiples of 16 bytes
#include "kernels/cuda/champion/champion_split.cuh"

inline constexpr int kVectorWarps = 8, kVectorThreads = 32 * kVectorWarps;
inline constexpr int kRowsOfWarp = 4;  // of A, in champion_columns

template <int Width>
struct Floats {
    float at[Width];
};
// Width neighbours that are read only once: the L2 may drop them first.
template <int Width>
__device__ __forceinline__ Floats<Width> read_once(const float* global) {
    if constexpr (Width == 4) {
        const float4 four = __ldcs(as<const float4>(global));
        return {four.x, four.y, four.z, four.w};
    } else {
        return {__ldcs(global)};
    }
}

// kFours: the 4 columns of a lane are neighbours, read at once; otherwise they are 32 apart, read
// one by one.
template <int Rows, bool kFours>
__global__ void __launch_bounds__(kVectorThreads)
champion_rows(const float* __restrict__ A, const float* __restrict__ B, float* C, Shape s,
              ChampionRounds rounds) {
    constexpr int kStrip = 128;  // columns of a block
    constexpr int kReadsInFlight = 8;    // rows of B that a warp reads before it uses the first
    __shared__ __align__(16) float parts[kVectorWarps][Rows][kStrip];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int strip = part_of_block(), col0 = strip * kStrip;
    const int col = col0 + (kFours ? lane * 4 : lane);
    const ChampionRun run = run_of_block(s.k);
    float sum[Rows][4] = {};
    const auto read = [&](int k) {
        const float* const from = B + static_cast<size_t>(k) * s.n + col;
        Floats<4> b = {};
        if constexpr (kFours) {
            if (col < s.n) b = read_once<4>(from);
        } else {
#pragma unroll
            for (int c = 0; c < 4; ++c)
                if (col + c * 32 < s.n) b.at[c] = read_once<1>(from + c * 32).at[0];
        }
        return b;
    };
    const auto add = [&](int k, const Floats<4>& b) {
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            const float a = r < s.m ? __ldg(A + static_cast<size_t>(r) * s.k + k) : 0;
#pragma unroll
            for (int c = 0; c < 4; ++c) sum[r][c] = fmaf(a, b.at[c], sum[r][c]);
        }
    };
    let_next_launch_begin();
    if (lane % 8 == 0 && col0 + lane * 4 < s.n)  // a line of 128 bytes each
        for (int i = 0; i < 2 * kReadsInFlight; ++i)
            if (const int k = run.begin + warp + i * kVectorWarps; k < run.end)
                prefetch_line(B + static_cast<size_t>(k) * s.n + col0 + lane * 4);
    wait_for_launch_before();

    int k = run.begin + warp;
    for (; k + (kReadsInFlight - 1) * kVectorWarps < run.end; k += kReadsInFlight * kVectorWarps) {
        Floats<4> loaded[kReadsInFlight];
#pragma unroll
        for (int i = 0; i < kReadsInFlight; ++i) loaded[i] = read(k + i * kVectorWarps);
#pragma unroll
        for (int i = 0; i < kReadsInFlight; ++i) add(k + i * kVectorWarps, loaded[i]);
    }
    for (; k < run.end; k += kVectorWarps) add(k, read(k));

#pragma unroll
    for (int r = 0; r < Rows; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c)
            parts[warp][r][kFours ? lane * 4 + c : lane + c * 32] = sum[r][c];
    __syncthreads();  // all warps' sums are written
    constexpr int kPart = Rows * kStrip / 4;
    float4* const fours = as<float4>(&parts[0][0][0]);
    for (int i = threadIdx.x; i < kPart; i += kVectorThreads) {
        float4 all = fours[i];
#pragma unroll
        for (int w = 1; w < kVectorWarps; ++w) all = all + fours[w * kPart + i];
        fours[i] = all;
    }
    sum_over_blocks(fours, kPart, strip, rounds, [&](int i, float4 v) {
        store4(C, s, i * 4 / kStrip, col0 + i * 4 % kStrip, v);
    });
}

// `deep` (1, 2, 4 or 8) warps share their rows and divide k.
template <int Columns, int Width>
__global__ void __launch_bounds__(kVectorThreads)
champion_columns(const float* __restrict__ A, const float* __restrict__ B, float* C, Shape s,
                 ChampionRounds rounds, int deep) {
    constexpr int kStrip = 32 * Width;  // k of a warp's step
    constexpr int kSums = kRowsOfWarp * Columns;
    __shared__ __align__(16) float sums[kVectorWarps * kSums];  // row of the block, column
    __shared__ float parts[kVectorWarps][kSums];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int rows = kVectorWarps / deep * kRowsOfWarp;  // of the block
    const int part = part_of_block(), block_row = part * rows;
    const int row0 = block_row + warp / deep * kRowsOfWarp;
    const ChampionRun run = run_of_block((s.k + kStrip - 1) / kStrip);
    float sum[kRowsOfWarp][Columns] = {};
    let_next_launch_begin();
    // Rows past the last are read as the last and not stored
    const float* row[kRowsOfWarp];
#pragma unroll
    for (int r = 0; r < kRowsOfWarp; ++r)
        row[r] = A + static_cast<size_t>(min(row0 + r, s.m - 1)) * s.k;
    for (int i = 0; i < 2; ++i) {
        const int k = (run.begin + warp % deep + i * deep) * kStrip + lane * Width;
        if (lane * Width % 32 == 0 && k < s.k)  // a line of 128 bytes each
            for (int r = 0; r < kRowsOfWarp; ++r) prefetch_line(row[r] + k);
    }
    wait_for_launch_before();
#pragma unroll 2
    for (int strip = run.begin + warp % deep; strip < run.end; strip += deep) {
        const int k = strip * kStrip + lane * Width;
        if (k >= s.k) break;
        Floats<Width> a[kRowsOfWarp];
#pragma unroll
        for (int r = 0; r < kRowsOfWarp; ++r) a[r] = read_once<Width>(row[r] + k);
#pragma unroll
        for (int i = 0; i < Width; ++i)
#pragma unroll
            for (int c = 0; c < Columns; ++c) {
                const float b = c < s.n ? __ldg(B + static_cast<size_t>(k + i) * s.n + c) : 0;
#pragma unroll
                for (int r = 0; r < kRowsOfWarp; ++r) sum[r][c] = fmaf(a[r].at[i], b, sum[r][c]);
            }
    }

#pragma unroll
    for (int r = 0; r < kRowsOfWarp; ++r)
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
#pragma unroll
            for (int apart = 16; apart > 0; apart /= 2)
                sum[r][c] += __shfl_xor_sync(~0u, sum[r][c], apart);
            if (lane == 0) parts[warp][r * Columns + c] = sum[r][c];
        }
    __syncthreads();  // all warps' sums are written
    for (int i = threadIdx.x; i < rows * Columns; i += kVectorThreads) {
        const int first = i / kSums * deep;  // of the warps that share these rows
        float all = parts[first][i % kSums];
        for (int d = 1; d < deep; ++d) all += parts[first + d][i % kSums];
        sums[i] = all;
    }
    sum_over_blocks(as<float4>(sums), rows * Columns / 4, part, rounds, [&](int i, float4 v) {
        const float four[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            const int r = block_row + (i * 4 + e) / Columns, c = (i * 4 + e) % Columns;
            if (r < s.m && c < s.n) C[static_cast<size_t>(r) * s.n + c] = four[e];
        }
    });
}
