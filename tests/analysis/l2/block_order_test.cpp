// What blocks find in L2, against a list that is kept entry by entry, and against sums.
#include "instrumentation/analysis/l2/block_order.h"

#include <gtest/gtest.h>

#include <list>
#include <map>

namespace tilereel::block_order_test {
namespace {

constexpr std::uint64_t kUnit = 64;

// A product of `tiles` x `tiles` blocks: block (x, y) reads `units` units of row y of A and of
// column x of B, one of each in a step, and writes one of C.
LaunchFootprint product(std::uint32_t tiles, std::uint32_t units) {
    const std::uint64_t strip = units * kUnit;
    std::vector<BlockFootprint> blocks;
    for (std::uint32_t block = 0; block < tiles * tiles; ++block) {
        const std::uint64_t x = block % tiles, y = block / tiles;
        BlockFootprint made{.block = block, .runs = {}, .begin = {0}};
        for (std::uint32_t step = 0; step < kFootprintSteps; ++step) {
            if (step < units) {
                made.runs.push_back(
                    {0, false, y * strip + step * kUnit, y * strip + (step + 1) * kUnit});
                made.runs.push_back(
                    {1, false, x * strip + step * kUnit, x * strip + (step + 1) * kUnit});
            }
            if (step + 1 == kFootprintSteps)
                made.runs.push_back({2, true, block * kUnit, (block + 1) * kUnit});
            made.begin.push_back(static_cast<std::uint32_t>(made.runs.size()));
        }
        blocks.push_back(std::move(made));
    }
    const FootprintArray matrix{.bytes = tiles * strip, .row_bytes = strip};
    const FootprintArray result{.bytes = tiles * tiles * kUnit, .row_bytes = tiles * kUnit};
    return LaunchFootprint::of({tiles, tiles, 1}, std::move(blocks), {matrix, matrix, result})
        .value();
}

// The same for one block after the other, by the rule of the header: what is read takes two units
// of room, what is only written one.
struct Slow {
    double fetched = 0, written = 0;
};
Slow one_after_the_other(const LaunchFootprint& launch, double l2_bytes, BlockOrder order) {
    struct Entry {
        bool read = false, dirty = false;
    };
    using Key = std::pair<ArrayId, std::uint64_t>;
    std::list<std::pair<Key, Entry>> kept;  // used last first
    std::map<Key, std::list<std::pair<Key, Entry>>::iterator> places;
    Slow slow;
    for (std::uint32_t position = 0; position < launch.blocks(); ++position)
        for (std::uint32_t step = 0; step < kFootprintSteps; ++step)
            launch.for_each_run(
                order.block_at(launch.grid(), position), step, [&](const TouchedRun& run) {
                    for (std::uint64_t unit = run.begin / kUnit; unit < run.end / kUnit; ++unit) {
                        const Key key{run.array, unit};
                        Entry entry;
                        const auto place = places.find(key);
                        if (place != places.end()) {
                            entry = place->second->second;
                            kept.erase(place->second);
                        } else if (!run.written) {
                            slow.fetched += double{kUnit};
                        }
                        entry.read = entry.read || !run.written;
                        entry.dirty = entry.dirty || run.written;
                        kept.push_front({key, entry});
                        places[key] = kept.begin();
                        const auto room = [&] {
                            double taken = 0;
                            for (const auto& each : kept) taken += each.second.read ? 2 : 1;
                            return taken * double{kUnit} <= l2_bytes;
                        };
                        while (!room()) {
                            slow.written += kept.back().second.dirty ? double{kUnit} : 0;
                            places.erase(kept.back().first);
                            kept.pop_back();
                        }
                    }
                });
    return slow;
}

TEST(BlockOrder, GoesThroughGroupsOfRowsColumnByColumn) {
    const auto all = [](const Dim3& grid, std::uint32_t rows) {
        std::vector<std::uint32_t> blocks;
        for (std::uint32_t i = 0; i < grid.count(); ++i)
            blocks.push_back(BlockOrder{rows}.block_at(grid, i));
        return blocks;
    };
    EXPECT_EQ(all({3, 3, 1}, 1), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    // Two rows, and one that is left.
    EXPECT_EQ(all({3, 3, 1}, 2), (std::vector<std::uint32_t>{0, 3, 1, 4, 2, 5, 6, 7, 8}));
    EXPECT_EQ(all({2, 2, 2}, 2), (std::vector<std::uint32_t>{0, 2, 1, 3, 4, 6, 5, 7}));
    EXPECT_EQ(all({1, 3, 1}, 8), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(BlockOrder, IsTheListEntryByEntry) {
    const LaunchFootprint launch = product(6, 8);
    for (const std::uint32_t rows : {1u, 2u, 3u, 8u})
        for (const double bytes : {20 * 64.0, 50 * 64.0, 101 * 64.0, 400 * 64.0}) {
            const BlockOrder order{rows};
            const Slow slow = one_after_the_other(launch, bytes, order);
            const auto run =
                run_through_l2({.launch = &launch, .l2_bytes = bytes, .order = order}).value();
            EXPECT_EQ(run.all.fetched, slow.fetched) << rows << " rows, " << bytes;
            EXPECT_EQ(run.all.written, slow.written) << rows << " rows, " << bytes;
            EXPECT_EQ(run.all.asked, 64.0 * 36 * 2 * 8);
            EXPECT_EQ(run.sampled, 1u);
            EXPECT_EQ(run.waves.size(), 36u);
        }
}

// 16 x 16 blocks, a row of A and a column of B of 32 units. L2 holds 6 of them. 16 blocks run at
// once: a row of the grid, which reads one row of A and all of B; or 4 x 4 blocks.
TEST(BlockOrder, GroupsOfRowsReadLessFromDram) {
    const LaunchFootprint launch = product(16, 32);
    const double strip = 32.0 * 64;
    L2Question question{
        .launch = &launch, .l2_bytes = 2 * 6 * strip, .multiprocessors = 16, .of_each = 1};
    const auto rows = run_through_l2(question).value();
    EXPECT_EQ(rows.waves.size(), 16u);
    EXPECT_EQ(rows.all.fetched, 16 * (1 + 16) * strip);
    EXPECT_EQ(rows.arrays[0].fetched, 16 * strip);
    EXPECT_EQ(rows.arrays[1].fetched, 16 * 16 * strip);
    question.order = {4};
    const auto groups = run_through_l2(question).value();
    EXPECT_EQ(groups.all.fetched, 16 * (4 + 4) * strip);
    EXPECT_EQ(groups.all.asked, rows.all.asked);
    // With room for all, each strip comes once in any order.
    question.l2_bytes = 1e9;
    EXPECT_EQ(run_through_l2(question)->all.fetched, 32 * strip);
    EXPECT_EQ(run_through_l2(question)->all.written, 0);
}

// 16 waves of a row of the grid each: one brings its row of A, and all of B, which L2 does not
// keep. From the second on all are alike, so that a few of them say what all do.
TEST(BlockOrder, SomeWavesStandForTheRest) {
    const LaunchFootprint launch = product(16, 32);
    const double strip = 32.0 * 64;
    L2Question question{
        .launch = &launch, .l2_bytes = 2 * 6 * strip, .multiprocessors = 16, .of_each = 1};
    const L2Run all = run_through_l2(question).value();
    for (const std::uint32_t waves : {4u, 7u, 15u}) {
        question.most_waves = waves;
        const L2Run some = run_through_l2(question).value();
        EXPECT_EQ(some.waves.size(), waves);
        EXPECT_NEAR(some.all.fetched, all.all.fetched, 1e-6 * all.all.fetched) << waves;
        EXPECT_NEAR(some.all.asked, all.all.asked, 1e-6 * all.all.asked) << waves;
        EXPECT_NEAR(some.all.written, all.all.written, 0.1 * all.all.written) << waves;
    }
    question.most_waves = 16;
    EXPECT_EQ(run_through_l2(question)->all.fetched, all.all.fetched);
}

// 32 blocks of two rows run at once. All alike, both rows find each column of B at the same time.
// In turn, the second row reads it half a block later: L2, with room for a quarter of B, has lost
// it.
TEST(BlockOrder, BlocksOfAMultiprocessorInTurnLoseWhatTheyCouldShare) {
    const LaunchFootprint launch = product(16, kFootprintSteps);
    const double strip = 64.0 * kFootprintSteps;
    L2Question question{.launch = &launch,
                        .l2_bytes = 2 * 4 * strip,
                        .multiprocessors = 16,
                        .of_each = 2,
                        .pace = BlockPace::kTogether};
    EXPECT_EQ(run_through_l2(question)->arrays[1].fetched, 8 * 16 * strip);
    question.pace = BlockPace::kInTurn;
    EXPECT_EQ(run_through_l2(question)->arrays[1].fetched, 16 * 16 * strip);
}

TEST(BlockOrder, TellsWhatAWaveReadsWhere) {
    const LaunchFootprint launch = product(16, 32);
    const auto run =
        run_through_l2(
            {.launch = &launch, .l2_bytes = 2 * 6 * 32 * 64, .multiprocessors = 16, .of_each = 1})
            .value();
    const auto [rows, columns] = heat_extents(launch.arrays()[0]);
    EXPECT_EQ(rows, 16u);
    EXPECT_EQ(columns, kHeatCells);
    // Wave 3: row 3 of A comes once and is asked for by 16 blocks, the others not at all.
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column) {
            const HeatCell& cell = run.waves[3].heat[0][row * columns + column];
            const float bytes = row == 3 ? 32 / static_cast<float>(columns) * 64 : 0;
            EXPECT_EQ(cell.fetched, bytes);
            EXPECT_EQ(cell.asked, 16 * bytes);
        }
    EXPECT_TRUE(run.waves[3].heat[2].empty());  // C is only written
}

TEST(BlockOrder, FollowsAPartOfALargeLaunchAndSaysSo) {
    // 64 x 64 blocks of 64 KB each of A and B, in bytes of one run a step.
    std::vector<BlockFootprint> blocks;
    const std::uint64_t strip = 4 << 20, part = strip / kFootprintSteps;
    for (const std::uint32_t block : {0u, 1u, 64u}) {
        const std::uint64_t x = block % 64, y = block / 64;
        BlockFootprint made{.block = block, .runs = {}, .begin = {0}};
        for (std::uint32_t step = 0; step < kFootprintSteps; ++step) {
            made.runs.push_back({0, false, y * strip + step * part, y * strip + (step + 1) * part});
            made.runs.push_back({1, false, x * strip + step * part, x * strip + (step + 1) * part});
            made.begin.push_back(static_cast<std::uint32_t>(made.runs.size()));
        }
        blocks.push_back(std::move(made));
    }
    const FootprintArray matrix{.bytes = 64 * strip, .row_bytes = strip};
    const auto launch = LaunchFootprint::of({64, 64, 1}, std::move(blocks), {matrix, matrix});
    ASSERT_TRUE(launch) << launch.error().message;
    const auto run =
        run_through_l2({.launch = &*launch, .l2_bytes = 50e6, .multiprocessors = 64, .of_each = 1});
    EXPECT_GT(run->sampled, 1u);
    const double all = 64.0 * 64 * 2 * strip;
    EXPECT_NEAR(run->all.asked / all, 1, 0.02);
    // B of 268 MB comes anew for each row of blocks.
    EXPECT_NEAR(run->all.fetched / (64.0 * 65 * strip), 1, 0.02);
}

TEST(BlockOrder, EndsWhenItIsCancelled) {
    const LaunchFootprint launch = product(4, 8);
    const std::atomic<bool> cancel{true};
    const auto run = run_through_l2({.launch = &launch, .l2_bytes = 1e6}, &cancel);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().kind, ErrorKind::kCancelled);
}

}  // namespace
}  // namespace tilereel::block_order_test
