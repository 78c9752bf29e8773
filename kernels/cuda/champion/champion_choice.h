#pragma once
// Chooses how 20_champion computes a product of a given size: the kernel, and how blocks split K.
// Plain C++ that needs no GPU: it gets the number of multiprocessors as an argument.
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
    kRows,     // champion_vector.cuh: A has few rows
    kColumns,  // champion_vector.cuh: B has few columns
};

// One instantiation of a kernel of the champion.
struct ChampionConfig {
    std::string_view name;  // "256x128": the tile of C that a block computes
    ChampionKernel kernel;
    int rows, columns;  // of that tile
    int depth;          // extent of one stage along K
    int blocks;         // that one multiprocessor holds at once, at least
    // Multiply-adds per cycle of one multiprocessor that runs `blocks` blocks, and one block.
    // Fitted to times measured on an H100.
    double rate_of_all, rate_of_one;
};
[[nodiscard]] std::span<const ChampionConfig> champion_configs();

struct ChampionChoice {
    int config = 0;   // index into champion_configs()
    int cluster = 1;  // blocks of a cluster that split K and add their sums in shared memory
    int rounds = 1;   // clusters that split K and add their sums in global memory
    bool stream_k = false;  // cut the tiles of the last wave; kBulk with cluster and rounds 1 only
    // kSmall: first copy the matrices whose rows are not 16-byte aligned. kBulk always does.
    bool copies = false;
    bool operator==(const ChampionChoice&) const = default;
};

// The choice with the shortest expected time on a GPU with this number of multiprocessors.
[[nodiscard]] ChampionChoice choose_champion(const ChampionSize& size, int multiprocessors);
// The expected time of a launch in microseconds, when launches follow each other without a pause;
// nullopt if the choice cannot compute this size. Fitted to some 3,000 times on an H100: within
// 10 % for most of the choices that matter.
[[nodiscard]] std::optional<double> expected_us(const ChampionSize& size,
                                                const ChampionChoice& choice,
                                                int multiprocessors);

// Whether each block should have a multiprocessor to itself: tiles are large, and there are enough
// multiprocessors for all blocks. Otherwise a block that starts while the previous launch still
// runs may join another block on a multiprocessor, although others become free a moment later.
[[nodiscard]] bool blocks_stay_alone(const ChampionSize& size, const ChampionChoice& choice,
                                     int multiprocessors);

// Consecutive stages of one tile. Same memory layout as ChampionPiece of champion_bulk.cuh.
struct ChampionCut {
    int tile, first_stage, stages;
    int pieces, rank;  // pieces of the tile; this one's index among them
    int first_part;    // index of the tile's first partial sum
};
// Stream-K: the tiles that would not fill the last wave of `slots` blocks are cut along K, so that
// all blocks finish together. These are tiles 0 to cut_tiles - 1; the others are not cut.
struct ChampionCuts {
    int cut_tiles = 0;
    int parts = 0;                    // number of partial sums, each of a whole tile
    std::vector<ChampionCut> pieces;  // longest first
};
[[nodiscard]] ChampionCuts cut_champion(int tiles, int stages_of_a_tile, int depth, int slots);

}  // namespace tilereel
