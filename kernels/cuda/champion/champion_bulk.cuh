// The kernel that a race of 20_champion without a TILE launches for large products: that of
// plain/20_champion.cu with one of several tiles and with stream-K. champion_choice.h chooses.
// Sources: PTX ISA 9.0, mbarrier and bulk copies; CUDA Driver API, "Tensor Map Object Management".
//
//   C, M x N             tile of a block, 256 x 128    warp, 64 x 64: 32 lanes, 8 down, 4 across
//   +------+------+      +-----------+-----------+     lane l: lane_row = l / 2 % 8
//   | tile |      |      | warp 0    | warp 1    |             lane_col = l % 2 + l / 16 * 2
//   +------+------+      +-----------+-----------+     thread, 8 x 16 of C:
//   |      |      |      | warp 2    | warp 3    |       rows    lane_row + 8 r         r = 0..7
//   +------+------+      +-----------+-----------+       columns lane_col * 4 + 16 q + c
//                        | warp 4    | warp 5    |                             q, c = 0..3
//                        +-----------+-----------+     lanes l and l ^ 1 read the same A, l and
//                        | warp 6    | warp 7    |     l ^ 2 the same B: a 16-byte read of a warp
//                        +-----------+-----------+     takes 2 wavefronts, not 4
//
// Drawn here: 256 x 128, 32 k, 4 stages, which is TILE 256 of plain/20_champion.cu.
//
//   global --TMA--> shared, 4 stages --16-byte reads--> registers --FFMA--> registers
//
// It differs from 19_async_pipeline in four things. The gain of each was measured by taking it out
// of this file (tests/hardware/champion_steps.csv); GFLOPS at 8192 on an H100, where the file as it
// is reaches 55,446 and cuBLAS 51,232:
// - Boxes, not elements: one thread asks the TMA for a stage of A and B (copy_box) and the
//   barrier `full` counts its bytes; the warps take turns at it (one warp asks: 54,729). A stays
//   row-major: the TMA swizzles its 16-byte pieces, so that 8 rows lie in different banks (not
//   swizzled: 45,754), and one read is 4 k of a row: nothing is transposed. Four stages are under
//   way, though three would do (3 stages: 55,391, 2 stages: 48,141), and the next stage's barrier
//   is asked one stage early, which makes no difference (asked late: 55,399).
// - 128 sums a thread, 8 x 16, in 254 registers: 12 reads for 128 multiply-adds at 4 k (8 x 8 sums:
//   49,656).
// - The order of the multiply-adds. The register file has two banks, even and odd registers, and
//   each gives one operand a cycle: an FFMA starts every cycle only if one operand still lies in
//   the reuse cache and its sum lies in the other bank than its fresh operand. Along a row of sums
//   and back along the next ("serpentine") each FFMA shares a or b with the one before (rows left
//   to right: 54,348, in zigzags of 2 x 2: 51,907, column by column: 45,775). keep_order() stops
//   the assembler from interleaving different k (without keep_order(): 50,421), 8 k a turn of the
//   loop fit the instruction cache (4 k a turn: 54,442, 16 k a turn: 53,971), and alpha * sum goes
//   to fresh registers, so that the sums of a 16-byte store need not be in four consecutive
//   registers (stored as they are: 53,238).
// - Stream-K: the tiles that would not fill a last wave are cut along K, so that all
//   multiprocessors end together (without stream-K: 53,961). Whichever block of a tile comes last
//   adds up the partial sums, in the order of K: the result does not depend on who was last, and no
//   block waits.
// What limits it: 16-byte reads take 2.4 issue slots, so an 8 x 16 tile keeps the FMA pipe busy for
// 88 % of the time at most; 83 % was measured (cuBLAS: 80 %).
#include "kernels/cuda/champion/bulk_copy.cuh"
#include "kernels/cuda/champion/champion_split.cuh"

// A tile of C, and how a block computes it. A warp has 8 x 4 threads, each with a tile of its own.
template <int Rows, int Columns, int Depth, int Blocks, int Stages = 4, int ThreadRows = 8,
          int ThreadColumns = 16>
struct ChampionTile {
    static constexpr int kRows = Rows, kColumns = Columns;  // of C
    static constexpr int kDepth = Depth;                    // k a stage: 32, 16 or 8
    static constexpr int kStages = Stages;                  // in flight
    static constexpr int kBlocks = Blocks;                  // a multiprocessor
    static constexpr int kThreadRows = ThreadRows, kThreadColumns = ThreadColumns;
    static constexpr int kWarpRows = 8 * ThreadRows, kWarpColumns = 4 * ThreadColumns;
    static constexpr int kWarpsAcross = Columns / kWarpColumns;
    static constexpr int kWarps = Rows / kWarpRows * kWarpsAcross;
    static constexpr int kThreads = kWarps * 32;
    static constexpr int kFloatsA = Rows * Depth, kFloatsB = Depth * Columns;  // a stage
    static constexpr int kStageFloats = kFloatsA + kFloatsB;
    static constexpr int kSharedBytes =
        kStages * (kStageFloats * 4 + 2 * int(sizeof(MBarrier))) + 4;
};

// A run of stages of one tile. A tile cut into several pieces is summed in their order.
struct ChampionPiece {
    int tile, first_stage, stages;
    int pieces, rank;  // number of pieces of the tile; this one's index among them
    int first_part;    // index of the tile's first partial sum in ChampionWork::parts
};

struct ChampionWork {
    const ChampionPiece* pieces;  // of the cut tiles
    int piece_count, cut_tiles;   // tiles from cut_tiles on are whole
    float* parts;                 // partial sums, a tile each
    unsigned* arrived;            // at index first_part: the tile's pieces done; 0 between launches
};


// kShare: several blocks share the K of each tile, see champion_split.cuh. kByRows: C's rows do not
// start at multiples of 16 bytes, see store_by_rows().
template <class Tile, bool kShare, bool kByRows = false>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocks)
champion(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
         float* __restrict__ C, Shape s, ChampionWork work, ChampionRounds rounds,
         float alpha) {
    constexpr int kThreadRows = Tile::kThreadRows, kThreadColumns = Tile::kThreadColumns;
    constexpr int kTurn = 8;  // k a turn of the loop
    constexpr int kDepth = Tile::kDepth, kStages = Tile::kStages;
    extern __shared__ __align__(1024) float shared[];
    float* const As = shared;
    float* const Bs = shared + Tile::kFloatsA;
    MBarrier* const full = reinterpret_cast<MBarrier*>(shared + kStages * Tile::kStageFloats);
    MBarrier* const empty = full + kStages;

    // The piece of a tile that this block computes
    ChampionPiece piece{int(blockIdx.x) - work.piece_count + work.cut_tiles, 0,
                        (s.k + kDepth - 1) / kDepth, 1, 0, 0};
    if constexpr (kShare) {
        const ChampionRun run = run_of_block(piece.stages);
        piece = {part_of_block(), run.begin, run.end - run.begin, 1, 0, 0};
    } else if (int(blockIdx.x) < work.piece_count) {
        piece = work.pieces[blockIdx.x];
    }
    const int first_stage = piece.first_stage, stages = piece.stages;

    // Tiles go down 8 rows of tiles, then to the next column: neighbours share A and B in the L2
    const int tile_rows = (s.m + Tile::kRows - 1) / Tile::kRows;
    const int tile_columns = (s.n + Tile::kColumns - 1) / Tile::kColumns;
    constexpr int kBand = 8;
    const int band = piece.tile / (kBand * tile_columns);
    const int in_band = piece.tile - band * kBand * tile_columns;
    const int band_rows = min(kBand, tile_rows - band * kBand);
    const int row0 = (band * kBand + in_band % band_rows) * Tile::kRows;
    const int col0 = in_band / band_rows * Tile::kColumns;

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int lane_row = lane / 2 % 8, lane_col = lane % 2 + lane / 16 * 2;
    const int warp_row = warp / Tile::kWarpsAcross * Tile::kWarpRows;
    const int warp_col = warp % Tile::kWarpsAcross * Tile::kWarpColumns;

    if (threadIdx.x == 0) {
        for (int i = 0; i < kStages; ++i) {
            full[i].init(1);
            empty[i].init(Tile::kWarps);
        }
        publish_mbarriers();
        wait_for_launch_before();
        for (int i = 0; i < kStages && i < stages; ++i) {
            const int k0 = (first_stage + i) * kDepth;
            full[i].arrive_expecting(Tile::kStageFloats * 4);
            copy_box(As + i * Tile::kStageFloats, map_a, row0, k0, full[i]);
            copy_box(Bs + i * Tile::kStageFloats, map_b, k0, col0, full[i]);
        }
    }
    __syncthreads();  // the barriers are there

    wait_for_launch_before();
    float sum[kThreadRows][kThreadColumns] = {};
    float a[kThreadRows][4];        // row, k
    float b[2][kThreadColumns];     // this k and the next

    // Where the TMA puts a row's pieces of 16 bytes: PTX ISA, 5.5.7 "Swizzling modes"
    const int swizzle = (kDepth == 32   ? lane_row
                         : kDepth == 16 ? lane_row / 2 % 4
                                        : lane_row / 4 % 2) * 4;
    const auto a0 = As + (warp_row + lane_row) * kDepth;
    const auto b0 = Bs + warp_col + lane_col * 4;
    const auto read_a = [&](float* to, auto from, int row, int chunk) {
        const float4 four =
            *as<const float4>(from + row * 8 * kDepth + (chunk * 4 ^ swizzle));
        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
    };
    const auto read_b = [&](float* to, auto from) {
#pragma unroll
        for (int c = 0; c < kThreadColumns; c += 4) {
            const float4 four = *as<const float4>(from + c * 4);
            to[c] = four.x, to[c + 1] = four.y, to[c + 2] = four.z, to[c + 3] = four.w;
        }
    };

    full[0].wait(0);
    bool next_full = stages > 1 && full[1].ended(0);
#pragma unroll
    for (int r = 0; r < kThreadRows; ++r) read_a(a[r], a0, r, 0);
    read_b(b[0], b0);
    auto a_now = a0, b_now = b0;
    int slot = 0, parity = 0, done = 0, chunk = 0;
#pragma unroll 1
    do {
#pragma unroll
        for (int k = 0; k < kTurn; ++k) {
            auto next_b = b_now + (k + 1) * Tile::kColumns;
            int next_chunk = chunk + k / 4 + 1;
            if (k == kTurn - 1) {
                chunk += kTurn / 4;
                b_now += kTurn * Tile::kColumns;
                if (chunk == kDepth / 4) {
                    __syncwarp();  // all lanes have read the stage
                    if (lane == 0) empty[slot].arrive();
                    const int before = slot == 0 ? kStages - 1 : slot - 1;
                    const int before_parity = slot == 0 ? parity ^ 1 : parity;
                    if (lane == 0 && warp == (done & (Tile::kWarps - 1)) && done > 0 &&
                        done - 1 + kStages < stages) {
                        const int k0 = (first_stage + done - 1 + kStages) * kDepth;
                        empty[before].wait(before_parity);  // all warps have read it
                        full[before].arrive_expecting(Tile::kStageFloats * 4);
                        copy_box(As + before * Tile::kStageFloats, map_a, row0, k0, full[before]);
                        copy_box(Bs + before * Tile::kStageFloats, map_b, k0, col0, full[before]);
                    }
                    ++done;
                    if (++slot == kStages) slot = 0, parity ^= 1;
                    a_now = a0 + slot * Tile::kStageFloats;
                    b_now = b0 + slot * Tile::kStageFloats;
                    chunk = 0;
                    if (done < stages && !next_full) full[slot].wait(parity);
                    const int after = slot + 1 == kStages ? 0 : slot + 1;
                    const int after_parity = slot + 1 == kStages ? parity ^ 1 : parity;
                    next_full = done + 1 < stages && full[after].ended(after_parity);
                }
                next_b = b_now;
                next_chunk = chunk;
            }
            if (k % 4 > 0) keep_order();
            // The last reads of a tile are not needed, but they cost less than a check in each
            // iteration.
            read_b(b[(k + 1) % 2], next_b);
#pragma unroll
            for (int r = 0; r < kThreadRows; ++r) {
#pragma unroll
                for (int i = 0; i < kThreadColumns; ++i) {
                    const int c = r % 2 == 0 ? i : kThreadColumns - 1 - i;
                    sum[r][c] = fmaf(a[r][k % 4], b[k % 2][c], sum[r][c]);
                }
                if (k % 4 == 3) read_a(a[r], a_now, r, next_chunk);
            }
        }
    } while (done < stages);

    // In fresh registers, so that the sums themselves need not be in four consecutive ones
    const auto scaled = [&](int r, int c) {
        return make_float4(alpha * sum[r][c], alpha * sum[r][c + 1], alpha * sum[r][c + 2],
                           alpha * sum[r][c + 3]);
    };
    if constexpr (kShare) {
        __syncthreads();  // the stages have been read: the sums take their place
        float4* const sums = as<float4>(shared);
#pragma unroll
        for (int f = 0; f < kThreadRows * kThreadColumns / 4; ++f) {
            sums[f * Tile::kThreads + threadIdx.x] = scaled(f / 4, f % 4 * 4);
        }
        sum_over_blocks(sums, Tile::kRows * Tile::kColumns / 4, piece.tile, rounds,
                        [&](int i, float4 v) {
                            const int f = i / Tile::kThreads, w = i % Tile::kThreads / 32;
                            const int l = i % 32;
                            store4(C, s, row0 + w / Tile::kWarpsAcross * 64 + l / 2 % 8 + f / 4 * 8,
                                   col0 + w % Tile::kWarpsAcross * 64 +
                                       (l % 2 + l / 16 * 2) * 4 + f % 4 * 16,
                                   v);
                        });
        return;
    }
    if (piece.pieces > 1) {
        constexpr int kPart = Tile::kRows * Tile::kColumns;
        unsigned* const arrived = work.arrived + piece.first_part;
        float* const first = work.parts + size_t(piece.first_part) * kPart + threadIdx.x;
        int& others = *reinterpret_cast<int*>(empty + kStages);
        const bool pair = piece.pieces == 2;
        if (pair) {  // if the other half is done, this block adds it and need not write its own
            if (threadIdx.x == 0) others = *static_cast<volatile unsigned*>(arrived);
            __syncthreads();
        }
        if (!pair || others == 0) {
            float* const mine = first + size_t(piece.rank) * kPart;
#pragma unroll
            for (int e = 0; e < kThreadRows * kThreadColumns; ++e)
                __stcg(mine + e * Tile::kThreads, sum[e / kThreadColumns][e % kThreadColumns]);
            __threadfence();
            __syncthreads();
            if (threadIdx.x == 0) others = int(atomicAdd(arrived, 1u));
            __syncthreads();
            if (others + 1 < piece.pieces) return;
        }
        __threadfence();
        if (threadIdx.x == 0) *arrived = 0;
        if (!pair) {
#pragma unroll
            for (int r = 0; r < kThreadRows; ++r)
#pragma unroll
                for (int c = 0; c < kThreadColumns; ++c) sum[r][c] = 0;
        }
        const int begin = pair ? 1 - piece.rank : 0, end = pair ? begin + 1 : piece.pieces;
        for (int p = begin; p < end; ++p) {
            const float* const part = first + size_t(p) * kPart;
#pragma unroll
            for (int e = 0; e < kThreadRows * kThreadColumns; ++e)
                sum[e / kThreadColumns][e % kThreadColumns] += __ldcg(part + e * Tile::kThreads);
        }
    }
    if constexpr (kByRows) {
        __syncthreads();  // the stages have been read
        store_by_rows<Lanes<8>, kThreadRows, kThreadColumns>(shared, C, s, row0 + warp_row, col0 + warp_col,
                                                   scaled);
        return;
    }
    const bool in_fours = rows_start_at_16_bytes(C, s.n);
#pragma unroll
    for (int r = 0; r < kThreadRows; ++r) {
        const int row = row0 + warp_row + lane_row + r * 8;
        if (row >= s.m) break;
#pragma unroll
        for (int c = 0; c < kThreadColumns; c += 4) {
            const int col = col0 + warp_col + lane_col * 4 + c * 4;
            const int left = s.n - col;
            const float4 v = scaled(r, c);
            const auto to = C + (size_t(row) * s.n + col);
            if (in_fours) {
                if (left > 0) *as<float4>(to) = v;
                continue;
            }
            if (left > 0) to[0] = v.x;
            if (left > 1) to[1] = v.y;
            if (left > 2) to[2] = v.z;
            if (left > 3) to[3] = v.w;
        }
    }
}
