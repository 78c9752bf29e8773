#include "kernels/cuda/champion/champion_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace tilereel::champion_choice_test {
namespace {

constexpr int kH100 = 132;  // multiprocessors

// Every stage of every cut tile belongs to exactly one piece. The pieces of a tile follow one
// another by rank, and no two pieces have the same place for their partial sums.
void expect_whole(const ChampionCuts& cuts, int tiles, int stages, int places) {
    EXPECT_EQ(cuts.cut_tiles, tiles % places);
    std::map<int, std::map<int, ChampionCut>> by_tile;  // by rank
    for (const ChampionCut& cut : cuts.pieces) {
        EXPECT_GE(cut.stages, 1);
        EXPECT_TRUE(by_tile[cut.tile].emplace(cut.rank, cut).second);
    }
    EXPECT_EQ(static_cast<int>(by_tile.size()), cuts.cut_tiles);
    std::vector<bool> taken(static_cast<std::size_t>(cuts.parts));
    for (const auto& [tile, pieces] : by_tile) {
        int next_stage = 0, rank = 0;
        for (const auto& [at, piece] : pieces) {
            EXPECT_EQ(at, rank++);
            EXPECT_EQ(piece.first_stage, next_stage);
            EXPECT_EQ(piece.pieces, static_cast<int>(pieces.size()));
            EXPECT_EQ(piece.first_part, pieces.begin()->second.first_part);
            next_stage += piece.stages;
            if (piece.pieces == 1) continue;
            const auto part = static_cast<std::size_t>(piece.first_part + piece.rank);
            ASSERT_LT(part, taken.size());
            EXPECT_FALSE(taken[part]);
            taken[part] = true;
        }
        EXPECT_EQ(next_stage, stages);
        EXPECT_LT(tile, cuts.cut_tiles);
    }
}

TEST(ChampionChoice, CutsCoverEachTileOnce) {
    for (const int tiles : {1, 2, 7, 63, 131, 132, 133, 500})
        for (const int stages : {1, 2, 3, 16, 257})
            for (const int depth : {16, 32})
                expect_whole(cut_champion(tiles, stages, depth, 132), tiles, stages, 132);
}

TEST(ChampionChoice, PlacesShareTheLastWaveEvenly) {
    // 100 tiles of 66 stages of 32 k for 132 places: 50 stages each.
    std::map<int, int> stages;
    for (const ChampionCut& cut : cut_champion(100, 66, 32, 132).pieces) ++stages[cut.stages];
    int all = 0;
    for (const auto& [length, count] : stages) all += length * count;
    EXPECT_EQ(all, 100 * 66);
    EXPECT_LE(stages.rbegin()->first, 50);
    // The longest pieces come first, so that only short ones are left at the end.
    const auto pieces = cut_champion(100, 66, 32, 132).pieces;
    EXPECT_TRUE(std::ranges::is_sorted(pieces, std::ranges::greater{}, &ChampionCut::stages));
}

TEST(ChampionChoice, LeavesAFullWaveWhole) {
    EXPECT_TRUE(cut_champion(264, 64, 32, 132).pieces.empty());
}

TEST(ChampionChoice, EveryChoiceTakesItsSize) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> exponent(0, 14);
    const auto extent = [&] { return static_cast<int>(std::exp2(exponent(random))); };
    for (int i = 0; i < 500; ++i) {
        const ChampionSize size{extent(), extent(), extent()};
        const ChampionChoice choice = choose_champion(size, kH100);
        const auto us = expected_us(size, choice, kH100);
        ASSERT_TRUE(us) << size.m << "x" << size.n << "x" << size.k;
        EXPECT_GT(*us, 0);
    }
}

TEST(ChampionChoice, ByShape) {
    const auto kernel_of = [](const ChampionSize& size) {
        return champion_configs()[static_cast<std::size_t>(choose_champion(size, kH100).config)]
            .kernel;
    };
    EXPECT_EQ(kernel_of({8192, 8192, 8192}), ChampionKernel::kBulk);
    EXPECT_EQ(kernel_of({3001, 2999, 3003}), ChampionKernel::kBulk);
    EXPECT_EQ(kernel_of({100, 100, 100}), ChampionKernel::kSmall);
    EXPECT_EQ(kernel_of({1, 4096, 4096}), ChampionKernel::kRows);
    EXPECT_EQ(kernel_of({6000, 1, 5000}), ChampionKernel::kColumns);
}

TEST(ChampionChoice, CopiesOnlyMatricesWithUnalignedRows) {
    const ChampionSize in_fours{512, 512, 512}, ragged{511, 511, 511};
    int copied = 0;
    for (int n = 300; n < 700; ++n) {
        const ChampionChoice choice = choose_champion({n, n, n}, kH100);
        EXPECT_FALSE(n % 4 == 0 && choice.copies) << n;
        copied += choice.copies ? 1 : 0;
    }
    EXPECT_GT(copied, 0);
    for (int config = 0; config < static_cast<int>(champion_configs().size()); ++config) {
        const bool small =
            champion_configs()[static_cast<std::size_t>(config)].kernel == ChampionKernel::kSmall;
        const ChampionChoice copies{.config = config, .copies = true};
        EXPECT_EQ(expected_us(ragged, copies, kH100).has_value(), small);
        if (!small) continue;
        EXPECT_EQ(expected_us(in_fours, copies, kH100),
                  expected_us(in_fours, {.config = config}, kH100));
    }
    // 256x128 always copies a matrix whose rows are not in fours: none, then A, then A and B. B is
    // as large as A, so its copy takes as long.
    const double none = *expected_us({2048, 2048, 2048}, {}, kH100),
                 a = *expected_us({2048, 2048, 2047}, {}, kH100),
                 both = *expected_us({2047, 2047, 2047}, {}, kH100);
    EXPECT_GT(a - none, 5);
    EXPECT_NEAR(both - a, a - none, 2);
}

TEST(ChampionChoice, BlocksThatFitOneEachStayAlone) {
    const auto alone = [](const ChampionSize& size, const ChampionChoice& choice) {
        return blocks_stay_alone(size, choice, kH100);
    };
    const auto configs = champion_configs();
    const auto config_of = [&](std::string_view name) {
        return static_cast<int>(std::ranges::find(configs, name, &ChampionConfig::name) -
                                configs.begin());
    };
    const int square = config_of("128x128"), rows = config_of("4 rows");
    const ChampionSize size{1024, 1024, 1024};  // 64 tiles
    EXPECT_TRUE(alone(size, {.config = square, .cluster = 2}));
    EXPECT_TRUE(alone(size, {.config = square, .rounds = 2}));
    EXPECT_FALSE(alone(size, {.config = square, .cluster = 3}));
    EXPECT_FALSE(alone(size, {.config = square, .stream_k = true}));
    // 128 blocks, but not all clusters of 8 find room at once
    EXPECT_FALSE(alone({512, 512, 512}, {.config = square, .cluster = 8}));
    EXPECT_TRUE(alone({512, 512, 512}, {.config = square, .cluster = 4}));
    EXPECT_TRUE(alone({512, 512, 512}, {.config = config_of("64x32")}));
    EXPECT_FALSE(alone({256, 256, 256}, {.config = config_of("32x32")}));
    EXPECT_FALSE(alone({4, 512, 512}, {.config = rows}));
}

TEST(ChampionChoice, RefusesSizesThatAConfigurationDoesNotSupport) {
    for (int config = 0; config < static_cast<int>(champion_configs().size()); ++config) {
        const ChampionConfig& w = champion_configs()[static_cast<std::size_t>(config)];
        EXPECT_EQ(expected_us({w.rows + 1, 1, 100}, {.config = config}, kH100).has_value(),
                  w.kernel != ChampionKernel::kRows);
        EXPECT_EQ(expected_us({1, w.columns + 1, 100}, {.config = config}, kH100).has_value(),
                  w.kernel != ChampionKernel::kColumns);
        EXPECT_EQ(expected_us({1, 1, 100}, {.config = config, .stream_k = true}, kH100).has_value(),
                  w.kernel == ChampionKernel::kBulk);
        // A block without a stage would wait for it for ever.
        EXPECT_FALSE(expected_us({1, 1, 3 * w.depth}, {.config = config, .cluster = 4}, kH100));
        EXPECT_FALSE(expected_us({1, 1, 9999}, {.config = config, .cluster = 9}, kH100));
    }
}

}  // namespace
}  // namespace tilereel::champion_choice_test
