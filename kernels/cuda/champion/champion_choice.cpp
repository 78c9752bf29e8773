#include "kernels/cuda/champion/champion_choice.h"

#include <algorithm>
#include <array>

namespace tilereel {
namespace {

constexpr std::array<ChampionConfig, 14> kConfigs{{
    {"256x128", ChampionKernel::kBulk, 256, 128, 32, 1, 118, 114},
    {"128x128", ChampionKernel::kBulk, 128, 128, 16, 2, 112, 108},
    {"64x256", ChampionKernel::kBulk, 64, 256, 16, 2, 112, 105},
    {"256x64", ChampionKernel::kBulk, 256, 64, 16, 2, 110, 108},
    {"64x64", ChampionKernel::kSmall, 64, 64, 32, 2, 84, 65.1},
    {"64x32", ChampionKernel::kSmall, 64, 32, 64, 2, 80, 55.3},
    {"32x32", ChampionKernel::kSmall, 32, 32, 64, 2, 82, 41.3},
    {"8x32", ChampionKernel::kSmall, 8, 32, 64, 2, 44.2, 24},
    {"4 rows", ChampionKernel::kRows, 4, 128, 1, 4, 30, 14.8},
    {"1 row", ChampionKernel::kRows, 1, 128, 1, 4, 15, 10.1},
    {"4 columns, 4 rows", ChampionKernel::kColumns, 4, 4, 128, 4, 17.7, 16.5},
    {"1 column, 4 rows", ChampionKernel::kColumns, 4, 1, 128, 4, 7.98, 7.46},
    {"4 columns, 32 rows", ChampionKernel::kColumns, 32, 4, 128, 4, 33, 10.6},
    {"1 column, 32 rows", ChampionKernel::kColumns, 32, 1, 128, 4, 8.2, 7.87},
}};

// Fitted together with the rates above. Microseconds unless a comment names another unit.
constexpr double kCyclesOfUs = 1755;       // GPU cycles per microsecond
constexpr double kBytesOfUs = 2.75e6;      // of global memory, per microsecond
constexpr double kRowsBytesOfUs = 3.0e6;  // the same for kRows, which does little else
constexpr std::array<double, 4> kLaunch{3.78, 2.83, 1.87, 2.78};  // by ChampionKernel
constexpr double kNextWave = 2.43;  // to start the blocks of each further wave
// To add up the partial sums of a cluster, and per kB of its tile.
constexpr double kCluster = 1.3, kClusterOfKilobyte = 0.044;
// To add up those of the rounds, and per kB that a block adds up.
constexpr double kRounds = 1.44, kRoundsOfKilobyte = 0.033;
constexpr double kCuts = 1, kCutsOfMegabyte = 17.8;  // stream-K; per MB of a tile's partial sums
constexpr double kAllCutsOfMegabyte = 0.14;  // stream-K: per MB of all partial sums
constexpr double kCopy = 1, kCopiedBytesOfUs = 2.5e6;  // aligned copy of A or B; bytes per us
// The share of a rate that remains if rows are not 16-byte aligned.
constexpr double kUnalignedA = 0.78, kUnalignedB = 0.81;  // kSmall
constexpr double kUnalignedRows = 0.262, kUnalignedColumns = 0.624, kUnalignedBy32Rows = 0.532;
// In addition to kCopy: kSmall starts no block before the copies are done, unless its blocks stay
// alone.
constexpr double kCopyBeforeSmall = 1.3;
// The share of multiprocessors that clusters of 3 blocks and more can occupy.
constexpr double kShareForLargeClusters = 0.913;
// The share of the rate that remains if clusters of 8 share multiprocessors.
constexpr double kRateOfEights = 0.86;
// The most blocks per multiprocessor if several blocks share a tile (not kBulk).
constexpr int kMostSharing = 8;
constexpr double kNearlyFull = 0.95;  // share of a wave
constexpr int kLeastCutDepth = 128;  // least extent along K that is worth a partial sum
constexpr int kMostRounds = 32;
constexpr int kLeastRowsDepth = 128;  // kRows: least extent along K that is worth a block

constexpr int ceil_div(int extent, int step) { return (extent + step - 1) / step; }
double whole(double quotient) { return static_cast<double>(static_cast<long long>(quotient)); }

struct Launch {
    const ChampionSize& size;
    const ChampionChoice& choice;
    int multiprocessors;
    const ChampionConfig& config = kConfigs[static_cast<std::size_t>(choice.config)];
    int stages = ceil_div(size.k, config.depth);
    int share = choice.cluster * choice.rounds;  // blocks that share a tile
    double tiles =
        static_cast<double>(ceil_div(size.m, config.rows)) * ceil_div(size.n, config.columns);
    double tile_bytes = 4.0 * config.rows * config.columns;
    // The number of multiprocessors that clusters of this size can occupy.
    double for_clusters = multiprocessors * (choice.cluster > 2 ? kShareForLargeClusters : 1.0);
    double slots = for_clusters * config.blocks;  // blocks that run at once
    // Blocks of large tiles stay alone on a multiprocessor. Small ones finish soon: for them it is
    // faster to let the next launch start early.
    bool large = tile_bytes >= 4 * 64 * 32 && config.kernel != ChampionKernel::kRows;
    bool alone = large && !choice.stream_k && tiles * share <= for_clusters;
    // Which matrices are copied first, and whether the kernel then finds 16-byte aligned rows.
    bool copies = choice.copies || config.kernel == ChampionKernel::kBulk;
    bool copy_a = copies && size.k % 4 != 0, copy_b = copies && size.n % 4 != 0;
    bool a_is_aligned = size.k % 4 == 0 || copy_a, b_is_aligned = size.n % 4 == 0 || copy_b;
};

bool takes(const Launch& l) {
    const ChampionChoice& c = l.choice;
    if (c.cluster < 1 || c.cluster > 8 || c.rounds < 1) return false;  // 8: the portable limit
    if (l.config.kernel == ChampionKernel::kRows && l.size.m > l.config.rows) return false;
    if (l.config.kernel == ChampionKernel::kColumns && l.size.n > l.config.columns) return false;
    if (c.copies && l.config.kernel != ChampionKernel::kSmall) return false;
    if (c.stream_k) return l.config.kernel == ChampionKernel::kBulk && l.share == 1;
    return l.share <= l.stages;  // each block has at least one stage
}

// Whether a choice can be the fastest, by the measurements. All blocks that share a tile must run
// at once.
bool can_be_fastest(const Launch& l) {
    // It does not pay to cut a last wave that is nearly full.
    const double cut = l.tiles - whole(l.tiles / l.slots) * l.slots;
    if (l.choice.stream_k && cut > kNearlyFull * l.slots) return false;
    if (l.choice.copies && !l.copy_a && !l.copy_b) return false;
    // Speed depends on the number of loads in flight: use as many blocks as fit, and no clusters,
    // which start later (measured on an H100: 1 x 4096 x 4096 takes 21.3 us in 16 rounds, 23.2 in
    // 8, 26.1 in 4, and 28.0 in a cluster of 8).
    if (l.config.kernel == ChampionKernel::kRows) {
        const bool more_fit = 4 * l.tiles * l.share <= 3 * l.slots && l.share < kMostRounds &&
                              l.stages >= 2 * l.share * kLeastRowsDepth;
        return l.choice.cluster == 1 && !more_fit;
    }
    if (l.share == 1) return true;
    const bool bulk = l.config.kernel == ChampionKernel::kBulk;
    const double most = (bulk ? l.config.blocks : kMostSharing) * l.multiprocessors;
    if (l.tiles * l.share > most || (bulk && l.stages < 2 * l.share)) return false;
    const int c = l.choice.cluster, r = l.choice.rounds;
    if (r == 1 || c <= 2) return true;
    return (c == 4 || c == 8) && (r == 2 || r == 4 || (r == 8 && !bulk));
}

// The time of `blocks` blocks of `work` multiply-adds each, at most one wave, spread over all
// multiprocessors.
double together_us(const Launch& l, double blocks, double work) {
    // Blocks of large clusters share multiprocessors even if others are free.
    const bool crowd =
        l.choice.cluster > 2 && l.config.kernel == ChampionKernel::kBulk && !l.alone;
    const double spread = whole((blocks + l.multiprocessors - 1) / l.multiprocessors);
    if (crowd && l.choice.cluster == 8) work /= kRateOfEights;
    const double on_one = crowd ? l.config.blocks : std::min<double>(l.config.blocks, spread);
    return work / kCyclesOfUs * std::max(on_one / l.config.rate_of_all, 1 / l.config.rate_of_one);
}

double full_wave_us(const Launch& l, double work) {
    return work / kCyclesOfUs *
           std::max(l.config.blocks / l.config.rate_of_all, 1 / l.config.rate_of_one);
}

double stream_k_us(const Launch& l) {
    const double work = l.tile_bytes / 4 * l.stages * l.config.depth;
    const double waves = whole(l.tiles / l.slots), cut = l.tiles - waves * l.slots;
    const double us = waves * full_wave_us(l, work);
    if (cut == 0) return us;
    const double runs =
        std::clamp(cut * l.stages * l.config.depth / kLeastCutDepth, 1.0, l.slots);
    return us + together_us(l, runs, work * cut / runs) + kCuts +
           kCutsOfMegabyte * std::max(2.0, runs / cut) * l.tile_bytes / 1e6 +
           kAllCutsOfMegabyte * runs * l.tile_bytes / 1e6;
}

// The share of the rate that remains with rows that are not 16-byte aligned.
double rate_left(const Launch& l) {
    switch (l.config.kernel) {
        case ChampionKernel::kSmall:
            return (l.a_is_aligned ? 1 : kUnalignedA) * (l.b_is_aligned ? 1 : kUnalignedB);
        case ChampionKernel::kRows:
            return l.b_is_aligned ? 1 : kUnalignedRows;
        case ChampionKernel::kColumns:
            if (l.a_is_aligned) return 1;
            return kUnalignedColumns * (l.config.rows == 32 ? kUnalignedBy32Rows : 1);
        case ChampionKernel::kBulk:
            break;
    }
    return 1;  // it reads aligned copies
}

double waves_us(const Launch& l) {
    const double blocks = l.tiles * l.share;
    const double work =
        l.tile_bytes / 4 * ceil_div(l.stages, l.share) * l.config.depth / rate_left(l);
    const double waves = whole(blocks / l.slots), last = blocks - waves * l.slots;
    double us = waves * full_wave_us(l, work);
    if (last > 0) us += together_us(l, last, work);
    return us + kNextWave * (waves + (last > 0 ? 1 : 0) - 1);
}

double sums_us(const Launch& l) {
    double us = 0;
    if (l.choice.cluster > 1) us += kCluster + kClusterOfKilobyte * l.tile_bytes / 1e3;
    if (l.choice.rounds > 1)
        us += kRounds +
              kRoundsOfKilobyte * l.choice.rounds * l.tile_bytes / 1e3 / l.choice.cluster;
    return us;
}

double copies_us(const Launch& l) {
    const double m = l.size.m, n = l.size.n, k = l.size.k;
    const double floats = (l.copy_a ? m * k : 0) + (l.copy_b ? k * n : 0);
    if (floats == 0) return 0;
    const bool waits = l.config.kernel == ChampionKernel::kSmall && !l.alone;
    return kCopy + (waits ? kCopyBeforeSmall : 0) + floats * 8 / kCopiedBytesOfUs;  // read, written
}

}  // namespace

std::span<const ChampionConfig> champion_configs() { return kConfigs; }

std::optional<double> expected_us(const ChampionSize& size, const ChampionChoice& choice,
                                  int multiprocessors) {
    const Launch l{size, choice, multiprocessors};
    if (!takes(l)) return std::nullopt;
    const double m = size.m, n = size.n, k = size.k;
    // A few multiprocessors cannot use the whole memory bandwidth.
    const double asking =
        choice.stream_k ? 1 : std::min(1.0, l.tiles * l.share / multiprocessors);
    const double bytes_of_us =
        l.config.kernel == ChampionKernel::kRows && l.b_is_aligned ? kRowsBytesOfUs : kBytesOfUs;
    const double memory_us = 4 * (m * k + k * n + m * n) / bytes_of_us / asking;
    const double compute_us = choice.stream_k ? stream_k_us(l) : waves_us(l);
    return kLaunch[static_cast<std::size_t>(l.config.kernel)] + copies_us(l) +
           std::max(compute_us, memory_us) + sums_us(l);
}

bool blocks_stay_alone(const ChampionSize& size, const ChampionChoice& choice,
                       int multiprocessors) {
    return Launch{size, choice, multiprocessors}.alone;
}

ChampionChoice choose_champion(const ChampionSize& size, int multiprocessors) {
    ChampionChoice best;
    double best_us = 1e99;
    const auto consider = [&](const ChampionChoice& choice) {
        if (!can_be_fastest({size, choice, multiprocessors})) return;
        const auto us = expected_us(size, choice, multiprocessors);
        if (us && *us < best_us) best = choice, best_us = *us;
    };
    for (int config = 0; config < static_cast<int>(kConfigs.size()); ++config) {
        consider({.config = config, .stream_k = true});
        for (int cluster = 1; cluster <= 8; ++cluster)
            for (const int rounds : {1, 2, 3, 4, 6, 8, 12, 16, 24, kMostRounds})
                for (const bool copies : {false, true})
                    consider({.config = config,
                              .cluster = cluster,
                              .rounds = rounds,
                              .copies = copies});
    }
    return best;
}

ChampionCuts cut_champion(int tiles, int stages_of_a_tile, int depth, int slots) {
    ChampionCuts cuts;
    cuts.cut_tiles = tiles % slots;
    const std::int64_t all = std::int64_t{cuts.cut_tiles} * stages_of_a_tile;
    if (all == 0) return cuts;
    // Run r holds the stages from all * r / runs on and goes to one block.
    const std::int64_t runs = std::clamp<std::int64_t>(all * depth / kLeastCutDepth, 1, slots);
    std::int64_t run = 0;
    for (int tile = 0; tile < cuts.cut_tiles; ++tile) {
        const std::int64_t begin = std::int64_t{tile} * stages_of_a_tile;
        const std::int64_t end = begin + stages_of_a_tile;
        const std::size_t first_piece = cuts.pieces.size();
        for (std::int64_t at = begin; at < end;) {
            while (all * (run + 1) / runs <= at) ++run;
            const std::int64_t next = std::min(end, all * (run + 1) / runs);
            cuts.pieces.push_back({.tile = tile,
                                   .first_stage = static_cast<int>(at - begin),
                                   .stages = static_cast<int>(next - at),
                                   .pieces = 0,  // not known yet
                                   .rank = static_cast<int>(cuts.pieces.size() - first_piece),
                                   .first_part = cuts.parts});
            at = next;
        }
        const int pieces = static_cast<int>(cuts.pieces.size() - first_piece);
        for (std::size_t i = first_piece; i < cuts.pieces.size(); ++i)
            cuts.pieces[i].pieces = pieces;
        if (pieces > 1) cuts.parts += pieces;
    }
    std::ranges::stable_sort(cuts.pieces, std::ranges::greater{}, &ChampionCut::stages);
    return cuts;
}

}  // namespace tilereel
