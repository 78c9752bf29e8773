#pragma once
// Chooses how 20_champion computes a product: it estimates the time of some hundred ways by a model
// of the GPU, and takes the shortest. Plain C++ that needs no GPU.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel {

struct ChampionSize {  // C(M,N) = A(M,K) B(K,N), row-major
    int m = 0, n = 0, k = 0;
};

enum class ChampionKernel : std::uint8_t {
    kBulk,     // champion_bulk.cuh: bulk copies, stream-K
    kSmall,    // champion_small.cuh: rows may start anywhere
    kRows,     // champion_vector.cuh: A has few rows
    kColumns,  // champion_vector.cuh: B has few columns
};

// One instantiation of a kernel of the champion.
struct ChampionConfig {
    std::string_view name;  // "256x128": the tile of C that a block computes
    ChampionKernel kernel;
    int rows, columns;                // of that tile
    int depth;                        // extent of one stage along K
    int thread_rows, thread_columns;  // of C, that a thread computes
    int warps;                        // of a block
    int deep;                         // of them, that share each stage's k
    int blocks;                       // that one multiprocessor holds at once, at least
};
[[nodiscard]] std::span<const ChampionConfig> champion_configs();

struct ChampionChoice {
    int config = 0;   // index into champion_configs()
    int cluster = 1;  // blocks of a cluster that split K and add their sums in shared memory
    int rounds = 1;   // clusters that split K and add their sums in global memory
    bool stream_k = false;  // cut the tiles of the last wave; kBulk with cluster and rounds 1 only
    bool operator==(const ChampionChoice&) const = default;
};
// "64x64 deep; cluster of 2; 3 rounds"
[[nodiscard]] std::string name_of(const ChampionChoice& choice);

// The expected time of a launch in microseconds, when launches follow each other without a pause.
struct ChampionTime {
    double start = 0;    // until the first multiply-add
    double copies = 0;   // kBulk: A and B are first copied if their rows are not 16-byte aligned
    double compute = 0;  // the loop over K
    double memory = 0;   // or the transfers beside it, whichever takes longer
    double sums = 0;     // to add up the sums of warps and blocks that share k
    double stores = 0;   // of C
    [[nodiscard]] double us() const;
};
// nullopt if the choice cannot compute this size.
[[nodiscard]] std::optional<ChampionTime> expected_time(const ChampionSize& size,
                                                        const ChampionChoice& choice,
                                                        int multiprocessors);
// The ways that are considered for a size.
[[nodiscard]] std::vector<ChampionChoice> champion_ways(const ChampionSize& size,
                                                        int multiprocessors);
// The one with the shortest expected time on a GPU with this number of multiprocessors.
[[nodiscard]] ChampionChoice choose_champion(const ChampionSize& size, int multiprocessors);
// The choice for a GPU of compute capability 9.0 with 132 multiprocessors, such as an H100 or H200,
// and the best ways of other kinds, with what each spends its time on. Several lines.
[[nodiscard]] std::string explain_champion(const ChampionSize& size);

// How many blocks of a launch each multiprocessor gets at most if all get equally many; nullopt if
// the blocks do not run at once.
[[nodiscard]] std::optional<int> blocks_of_each(const ChampionSize& size,
                                                const ChampionChoice& choice,
                                                int multiprocessors);

// Consecutive stages of one tile. Same memory layout as ChampionPiece of champion_bulk.cuh.
struct ChampionCut {
    int tile, first_stage, stages;
    int pieces, rank;  // pieces of the tile; this one's index among them
    int first_part;    // index of the tile's first partial sum
};
// Stream-K: the tiles that would not fill the last wave of `slots` blocks are cut along K, so that
// all blocks finish together. These are tiles 0 to cut_tiles - 1; the others are not cut.
inline constexpr int kLeastCutDepth = 128;  // least extent along K that is worth a partial sum
struct ChampionCuts {
    int cut_tiles = 0;
    int parts = 0;                    // number of partial sums, each of a whole tile
    std::vector<ChampionCut> pieces;  // longest first
};
[[nodiscard]] ChampionCuts cut_champion(int tiles, int stages_of_a_tile, int depth, int slots);

}  // namespace tilereel
