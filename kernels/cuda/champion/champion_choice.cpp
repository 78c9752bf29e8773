#include "kernels/cuda/champion/champion_choice.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilereel {
namespace {

using enum ChampionKernel;
constexpr std::array<ChampionConfig, 19> kConfigs{{
    {"256x128", kBulk, 256, 128, 32, 8, 16, 8, 1, 1},
    {"128x128", kBulk, 128, 128, 16, 8, 16, 4, 1, 2},
    {"64x256", kBulk, 64, 256, 16, 8, 16, 4, 1, 2},
    {"256x64", kBulk, 256, 64, 16, 8, 16, 4, 1, 2},
    {"64x128", kSmall, 64, 128, 16, 8, 8, 4, 1, 4},
    {"64x64", kSmall, 64, 64, 16, 4, 8, 4, 1, 5},
    {"64x64 deep", kSmall, 64, 64, 32, 8, 8, 4, 2, 3},
    {"32x64", kSmall, 32, 64, 16, 4, 8, 2, 1, 8},
    {"32x64 deep", kSmall, 32, 64, 32, 8, 8, 4, 4, 4},
    {"64x32 deep", kSmall, 64, 32, 32, 8, 8, 4, 4, 4},
    {"32x32 deep", kSmall, 32, 32, 64, 4, 8, 8, 8, 2},
    {"16x64 deep", kSmall, 16, 64, 64, 4, 8, 8, 8, 2},
    {"8x32 deep", kSmall, 8, 32, 64, 1, 8, 8, 8, 2},
    {"1 row", kRows, 1, 128, 64, 1, 4, 8, 8, 8},
    {"4 rows", kRows, 4, 128, 64, 4, 4, 8, 8, 4},
    {"4 columns", kColumns, 32, 4, 128, 4, 4, 8, 1, 4},
    {"4 columns deep", kColumns, 4, 4, 1024, 4, 4, 8, 8, 4},
    {"1 column", kColumns, 32, 1, 128, 4, 1, 8, 1, 4},
    {"1 column deep", kColumns, 4, 1, 1024, 4, 1, 8, 8, 4},
}};

// The machine: a GPU of compute capability 9.0. Microseconds unless a comment names another unit.
constexpr double kCyclesOfUs = 1934;
constexpr int kSchedulers = 4;  // of a multiprocessor, each issues one instruction a cycle
// Issue slots of a warp: a multiply-add with its share of register bank conflicts and waits, a read
// of 16 bytes from shared memory, a copy to shared memory with its address, the rest of a stage.
constexpr double kSlotsOfMultiplyAdd = 1.25, kSlotsOfBulkMultiplyAdd = 1.22, kSlotsOfRead = 2.33, kSlotsOfCopy = 5.41;
constexpr double kSlotsOfStage = 10.2;
// Cycles of a multiprocessor's shared memory for such a read, and for such a copy, of a warp.
constexpr double kCyclesOfRead = 1.07, kCyclesOfCopy = 6.17;
// Cycles: a barrier, and the first reads behind it. kBulk has none: it reads ahead across stages.
constexpr double kStageLatency = 287;
constexpr double kL2Bytes = 50e6;  // more than this comes from global memory
constexpr double kBytesOfUs = 2.39e6, kL2BytesOfUs = 6.12e6;  // per microsecond
constexpr double kStoredBytesOfUs = 1.47e7;
constexpr double kUnalignedStores = 4.03;  // times as long, if rows of C are not 16-byte aligned
constexpr double kStart = 2.07, kStartOfBulk = 1.45;  // kBulk: in addition, for its barriers
constexpr double kNextWave = 0.949;
// Adding up sums: of the warps of a block; of a cluster; of rounds. Per kB of a block's tile, and of
// all tiles of a multiprocessor.
constexpr double kDeep = 0.316, kDeepOfEach = 0.00308;
constexpr double kCluster = 1.38, kClusterOfKilobyte = 0.0242, kClusterOfEach = 0.0152;
constexpr double kRounds = 1.32, kRoundsOfKilobyte = 0.0104, kRoundsOfEach = 0.0517;
// Stream-K: per MB of a tile's partial sums, and of all.
constexpr double kCutsOfMegabyte = 2.7, kAllCutsOfMegabyte = 0.354;
constexpr double kCopiedBytesOfUs = 3.87e6;  // read and written
// The share of the multiprocessors that clusters can occupy, by the number of their blocks. A
// cluster lies in one group of multiprocessors (GPC), which it does not always divide.
constexpr std::array<double, 9> kRoomForCluster{0, 1, 1, 0.89, 0.93, 0.85, 0.79, 0.79, 0.91};
constexpr int kMostRounds = 48;
constexpr double kNearlyFull = 0.95;    // share of a wave
constexpr int kLeastBlocksOfRows = 4;  // of a multiprocessor

constexpr int ceil_div(int extent, int step) { return (extent + step - 1) / step; }

struct Launch {
    const ChampionSize& size;
    const ChampionChoice& choice;
    int multiprocessors;
    const ChampionConfig& config = kConfigs[static_cast<std::size_t>(choice.config)];
    int stages = ceil_div(size.k, config.depth);
    int share = choice.cluster * choice.rounds;  // blocks that share a tile
    double tiles =
        static_cast<double>(ceil_div(size.m, config.rows)) * ceil_div(size.n, config.columns);
    double blocks = tiles * share;
    double tile_kilobytes = 4e-3 * config.rows * config.columns;
    bool bulk = config.kernel == kBulk;
    bool a_in_fours = size.k % 4 == 0, b_in_fours = size.n % 4 == 0;
};

// The blocks that run at once if each multiprocessor takes `each`.
double room_for(const Launch& l, int each) {
    const auto cluster = static_cast<std::size_t>(l.choice.cluster);
    return std::floor(l.multiprocessors * each * kRoomForCluster[cluster] / l.choice.cluster) *
           l.choice.cluster;
}

// The fewest blocks that each multiprocessor takes so that all of them run at once.
int each_of(const Launch& l, double blocks) {
    int each = 1;
    while (each < l.config.blocks && room_for(l, each) < blocks) ++each;
    return each;
}

bool takes(const Launch& l) {
    const ChampionChoice& c = l.choice;
    if (c.cluster < 1 || c.cluster > 8 || c.rounds < 1) return false;  // 8: the portable limit
    if (l.config.kernel == kRows && l.size.m > l.config.rows) return false;
    if (l.config.kernel == kColumns && l.size.n > l.config.columns) return false;
    if (c.stream_k) return l.bulk && l.share == 1;
    return l.share <= l.stages;  // each block has at least one stage
}

// A stage of `each` blocks on one multiprocessor: the issue slots of its warps and the latency that
// they leave of a stage, the less the more warps there are; or the cycles of its shared memory.
double stage_us(const Launch& l, double each) {
    const ChampionConfig& c = l.config;
    const int sharing = c.deep * (c.kernel == kColumns ? 32 : 1);  // warps, or lanes
    const double k = static_cast<double>(c.depth) / sharing;
    const double reads = k * (c.thread_rows + c.thread_columns) / 4.0;
    double copies = 0;  // of a warp; kBulk's are one for a whole stage
    if (!l.bulk)
        copies = c.depth *
                 (c.rows / (l.a_in_fours ? 4.0 : 1.0) + c.columns / (l.b_in_fours ? 4.0 : 1.0)) /
                 (32 * c.warps);
    const double slots = k * c.thread_rows * c.thread_columns *
                             (l.bulk ? kSlotsOfBulkMultiplyAdd : kSlotsOfMultiplyAdd) +
                         reads * kSlotsOfRead + copies * kSlotsOfCopy +
                         kSlotsOfStage;
    const double warps = std::max(1.0, each * c.warps / kSchedulers);  // of a scheduler
    const double issue = warps * slots + (l.bulk ? 0 : kStageLatency / warps);
    const double shared = each * c.warps * (reads * kCyclesOfRead + copies * kCyclesOfCopy);
    return std::max(issue, shared) / kCyclesOfUs;
}

double blocks_us(const Launch& l) {
    const double room = room_for(l, l.config.blocks), stages = ceil_div(l.stages, l.share);
    const double waves = std::floor(l.blocks / room), last = l.blocks - waves * room;
    double us = waves * (stages * stage_us(l, l.config.blocks) + kNextWave) - kNextWave;
    if (last > 0) us += stages * stage_us(l, each_of(l, last)) + kNextWave;
    return us;
}

void add_stream_k(const Launch& l, ChampionTime& time) {
    const double slots = l.config.blocks * l.multiprocessors;
    const double waves = std::floor(l.tiles / slots), cut = l.tiles - waves * slots;
    time.compute = waves * l.stages * stage_us(l, l.config.blocks) +
                   std::max(0.0, waves - (cut > 0 ? 0 : 1)) * kNextWave;
    if (cut == 0) return;
    const double runs = std::clamp(cut * l.stages * l.config.depth / kLeastCutDepth, 1.0, slots);
    time.compute += cut * l.stages / runs * stage_us(l, std::ceil(runs / l.multiprocessors));
    time.sums = l.tile_kilobytes / 1e3 * (kCutsOfMegabyte * std::max(2.0, runs / cut) +
                                                  kAllCutsOfMegabyte * runs);
}

double sums_us(const Launch& l) {
    const int each = each_of(l, l.blocks);
    const bool deep = l.config.deep > 1;
    double us = kDeepOfEach * (deep ? l.config.deep : 0) * each;
    if (l.choice.cluster > 1) us += kClusterOfKilobyte + kClusterOfEach * each;
    if (l.choice.rounds > 1)
        us += kRoundsOfKilobyte * l.choice.rounds / l.choice.cluster + kRoundsOfEach * each;
    return us * l.tile_kilobytes + (deep ? kDeep : 0) + (l.choice.cluster > 1 ? kCluster : 0) +
           (l.choice.rounds > 1 ? kRounds : 0);
}

double memory_us(const Launch& l) {
    const double m = l.size.m, n = l.size.n, k = l.size.k;
    const double matrices = 4 * (m * k + k * n + m * n);
    const double tiles = 4 * (l.tiles * (l.config.rows + l.config.columns) * k + m * n);
    // A few multiprocessors cannot use the whole bandwidth
    const double asking = l.choice.stream_k ? 1 : std::min(1.0, l.blocks / l.multiprocessors);
    return std::max(matrices > kL2Bytes ? matrices / kBytesOfUs : 0.0, tiles / kL2BytesOfUs) /
           asking;
}

double copies_us(const Launch& l) {
    if (!l.bulk || (l.a_in_fours && l.b_in_fours)) return 0;
    const double m = l.size.m, n = l.size.n, k = l.size.k;
    return 8 * ((l.a_in_fours ? 0 : m * k) + (l.b_in_fours ? 0 : k * n)) / kCopiedBytesOfUs;
}

}  // namespace

std::span<const ChampionConfig> champion_configs() { return kConfigs; }

std::string name_of(const ChampionChoice& choice) {
    std::string text(kConfigs[static_cast<std::size_t>(choice.config)].name);
    if (choice.stream_k) text += "; stream-K";
    if (choice.cluster > 1) text += "; cluster of " + std::to_string(choice.cluster);
    if (choice.rounds > 1) text += "; " + std::to_string(choice.rounds) + " rounds";
    return text;
}

double ChampionTime::us() const {
    return start + copies + std::max(compute, memory) + sums + stores;
}

std::optional<ChampionTime> expected_time(const ChampionSize& size, const ChampionChoice& choice,
                                          int multiprocessors) {
    const Launch l{size, choice, multiprocessors};
    if (!takes(l)) return std::nullopt;
    ChampionTime time{.start = kStart + (l.bulk ? kStartOfBulk : 0),
                      .copies = copies_us(l),
                      .compute = 0,
                      .memory = memory_us(l),
                      .sums = 0,
                      .stores = 4.0 * size.m * size.n / kStoredBytesOfUs *
                                (l.b_in_fours ? 1 : kUnalignedStores)};
    if (choice.stream_k) {
        add_stream_k(l, time);
    } else {
        time.compute = blocks_us(l);
        time.sums = sums_us(l);
    }
    return time;
}

std::optional<int> blocks_of_each(const ChampionSize& size, const ChampionChoice& choice,
                                  int multiprocessors) {
    const Launch l{size, choice, multiprocessors};
    const int each = each_of(l, l.blocks);
    return room_for(l, each) >= l.blocks ? std::optional(each) : std::nullopt;
}

std::vector<ChampionChoice> champion_ways(const ChampionSize& size, int multiprocessors) {
    std::vector<ChampionChoice> ways;
    for (int config = 0; config < static_cast<int>(kConfigs.size()); ++config) {
        const auto consider = [&](ChampionChoice choice) {
            choice.config = config;
            const Launch l{size, choice, multiprocessors};
            // All blocks that share a tile must run at once. kRows has rounds alone: clusters start
            // later.
            if (takes(l) && (l.config.kernel != kRows || choice.cluster == 1) && (l.share == 1 || l.blocks <= room_for(l, l.config.blocks)) &&
                std::ranges::find(ways, choice) == ways.end())
                ways.push_back(choice);
        };
        const ChampionChoice plain{.config = config};
        const Launch l{size, plain, multiprocessors};
        // Another tile wastes less
        if ((l.config.rows > 16 && l.config.rows >= 2 * size.m) ||
            (l.config.columns > 32 && l.config.columns >= 2 * size.n && l.config.kernel != kRows))
            continue;
        // Small tiles are for small products
        if (l.config.rows * l.config.columns <= 1024 && size.m > 32 && size.n > 32 &&
            l.tiles > 8 * l.config.blocks * multiprocessors)
            continue;
        // A vector times a matrix is read by the kernel for it. Warps share long rows.
        if (size.m == 1 && l.config.kernel != kRows) continue;
        if (l.config.kernel == kColumns && (l.config.deep > 1) != (size.k >= 8 * 128)) continue;
        consider({});
        // A last wave that is nearly full is not worth a cut
        const double slots = static_cast<double>(l.config.blocks) * multiprocessors;
        if (std::fmod(l.tiles, slots) <= kNearlyFull * slots) consider({.stream_k = true});
        for (const int cluster : {2, 3, 4, 5, 6, 8}) consider({.cluster = cluster});
        // As many rounds as fill the GPU with 1, 2 ... blocks for each multiprocessor. kRows is as
        // fast as its reads in flight are many.
        const int least = l.config.kernel == kRows ? kLeastBlocksOfRows : 1;
        for (const int cluster : {1, 2, 4})
            for (int each = least; each <= l.config.blocks; ++each) {
                const Launch shared{size, {.config = config, .cluster = cluster}, multiprocessors};
                const int rounds = std::min(
                    kMostRounds, static_cast<int>(room_for(shared, each) / shared.blocks));
                if (rounds > 1) consider({.cluster = cluster, .rounds = rounds});
            }
    }
    return ways;
}

ChampionChoice choose_champion(const ChampionSize& size, int multiprocessors) {
    ChampionChoice best;
    double best_us = HUGE_VAL;
    for (const ChampionChoice& way : champion_ways(size, multiprocessors))
        if (const auto time = expected_time(size, way, multiprocessors); time->us() < best_us)
            best = way, best_us = time->us();
    return best;
}

}  // namespace tilereel
