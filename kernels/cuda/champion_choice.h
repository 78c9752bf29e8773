#pragma once
// How 20_champion makes a product of this shape: with which kernel, and what of K each block takes.
// Plain C++: knows the GPU only by numbers.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tilereel {

struct ChampionSize {  // C(M,N) = A(M,K) B(K,N), row-major
    int m = 0, n = 0, k = 0;
};

enum class ChampionKernel : std::uint8_t {
    kBulk,     // champion_bulk.cuh: bulk copies, stream-K
    kSmall,    // champion_small.cuh: a cluster shares a tile's K
    kRows,     // champion_vector.cuh: A of a few rows
    kColumns,  // champion_vector.cuh: B of a few columns
};

// One of the champion's kernels, instantiated.
struct ChampionWay {
    std::string_view name;  // "256x128": of a block's tile of C
    ChampionKernel kernel;
    int rows, columns;  // of a block's tile of C
    int depth;          // k in one stage
    int blocks;         // a multiprocessor, at least
    // Fitted to times on an H100: multiply-adds of a multiprocessor in a cycle, with all its blocks
    // at work and with one.
    double rate_of_all, rate_of_one;
};
[[nodiscard]] std::span<const ChampionWay> champion_ways();

struct ChampionChoice {
    int way = 0;      // of champion_ways()
    int cluster = 1;  // blocks that share K and sum up in shared memory
    int rounds = 1;   // clusters that share K and sum up in global memory; kBulk: 1
    bool stream_k = false;  // kBulk with a cluster of 1: cut the tiles of the last wave
    // kSmall: copy matrices whose rows do not start at multiples of 16 bytes first; kBulk must.
    bool copies = false;
    bool operator==(const ChampionChoice&) const = default;
};

// The choice that is to take the least time on a GPU of so many multiprocessors.
[[nodiscard]] ChampionChoice choose_champion(const ChampionSize& size, int multiprocessors);
// What it is to take, in microseconds, its launches back to back; nullopt if it does not take the
// size. Fitted to some 3,000 times on an H100: within 10 % for most of the choices that matter.
[[nodiscard]] std::optional<double> expected_us(const ChampionSize& size,
                                                const ChampionChoice& choice,
                                                int multiprocessors);

// Whether each of its blocks is to have a multiprocessor to itself: tiles are large, there are
// enough for all blocks at once, and blocks that begin while the launch before still runs would
// crowd onto those that have room for a second one, though others are free in a moment.
[[nodiscard]] bool blocks_stay_alone(const ChampionSize& size, const ChampionChoice& choice,
                                     int multiprocessors);

// A run of stages of one tile; laid out as ChampionPiece of champion_bulk.cuh.
struct ChampionCut {
    int tile, first_stage, stages;
    int pieces, rank;  // of the tile; this one's place among them
    int first_part;    // of the tile, among the partial sums
};
// Stream-K: the tiles that would not fill a last wave of `slots` blocks are cut along K, so that
// all slots end together. They are tiles 0 to cut_tiles - 1; all others are whole.
struct ChampionCuts {
    int cut_tiles = 0;
    int parts = 0;                    // partial sums
    std::vector<ChampionCut> pieces;  // longest first
};
[[nodiscard]] ChampionCuts cut_champion(int tiles, int stages_of_a_tile, int depth, int slots);

}  // namespace tilereel
