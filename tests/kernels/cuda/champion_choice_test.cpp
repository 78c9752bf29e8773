#include "kernels/cuda/champion_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace tilereel {
namespace {

constexpr int kH100 = 132;  // multiprocessors

// Every stage of every cut tile is in one piece, the pieces of a tile follow one another by rank,
// and their partial sums lie apart from all others'.
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
    // Longest first: what is left at the end is short.
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
        return champion_ways()[static_cast<std::size_t>(choose_champion(size, kH100).way)].kernel;
    };
    EXPECT_EQ(kernel_of({8192, 8192, 8192}), ChampionKernel::kBulk);
    EXPECT_EQ(kernel_of({3001, 2999, 3003}), ChampionKernel::kBulk);
    EXPECT_EQ(kernel_of({100, 100, 100}), ChampionKernel::kSmall);
    EXPECT_EQ(kernel_of({1, 4096, 4096}), ChampionKernel::kRows);
    EXPECT_EQ(kernel_of({6000, 1, 5000}), ChampionKernel::kColumns);
}

TEST(ChampionChoice, RefusesWhatAWayDoesNotTake) {
    for (int way = 0; way < static_cast<int>(champion_ways().size()); ++way) {
        const ChampionWay& w = champion_ways()[static_cast<std::size_t>(way)];
        EXPECT_EQ(expected_us({w.rows + 1, 1, 100}, {.way = way}, kH100).has_value(),
                  w.kernel != ChampionKernel::kRows);
        EXPECT_EQ(expected_us({1, w.columns + 1, 100}, {.way = way}, kH100).has_value(),
                  w.kernel != ChampionKernel::kColumns);
        EXPECT_EQ(expected_us({1, 1, 100}, {.way = way, .stream_k = true}, kH100).has_value(),
                  w.kernel == ChampionKernel::kBulk);
        // A block without a stage would wait for it for ever.
        EXPECT_FALSE(expected_us({1, 1, 3 * w.depth}, {.way = way, .cluster = 4}, kH100));
        EXPECT_FALSE(expected_us({1, 1, 9999}, {.way = way, .cluster = 9}, kH100));
    }
}

}  // namespace
}  // namespace tilereel
