#pragma once
// Chooses how 20_champion computes a product of a given size: with which kernel, and which part of
// K each block takes. Plain C++: knows the GPU only by numbers.
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

// One instantiation of a kernel of the champion.
struct ChampionWay {
    std::string_view name;  // "256x128": of a block's tile of C
    ChampionKernel kernel;
    int rows, columns;  // of a block's tile of C
    int depth;          // k in one stage
    int blocks;         // on one multiprocessor, at least
    // Multiply-adds in a cycle of one multiprocessor, with all its blocks running and with one.
    // Fitted to times on an H100.
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

// The choice with the least expected time on a GPU with so many multiprocessors.
[[nodiscard]] ChampionChoice choose_champion(const ChampionSize& size, int multiprocessors);
// The expected time of a launch in microseconds, when launches follow each other without a pause;
// nullopt if the choice cannot compute this size. Fitted to some 3,000 times on an H100: within
// 10 % for most of the choices that matter.
[[nodiscard]] std::optional<double> expected_us(const ChampionSize& size,
                                                const ChampionChoice& choice,
                                                int multiprocessors);

// Whether each block is to have a multiprocessor to itself. True if tiles are large and there are
// enough multiprocessors for all blocks at once. Without this, blocks that begin while the launch
// before still runs would share a multiprocessor that has room for a second block, though others
// become free a moment later.
[[nodiscard]] bool blocks_stay_alone(const ChampionSize& size, const ChampionChoice& choice,
                                     int multiprocessors);

// A run of stages of one tile; laid out as ChampionPiece of champion_bulk.cuh.
struct ChampionCut {
    int tile, first_stage, stages;
    int pieces, rank;  // pieces of the tile; this one's index among them
    int first_part;    // index of the tile's first partial sum
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
