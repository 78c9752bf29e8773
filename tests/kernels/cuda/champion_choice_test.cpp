#include "kernels/cuda/champion/champion_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "tests/hardware/csv_rows.h"

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
        const auto time = expected_time(size, choice, kH100);
        ASSERT_TRUE(time) << size.m << "x" << size.n << "x" << size.k;
        EXPECT_GT(time->us(), 0);
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

int config_of(std::string_view name) {
    const auto configs = champion_configs();
    return static_cast<int>(std::ranges::find(configs, name, &ChampionConfig::name) -
                            configs.begin());
}

TEST(ChampionChoice, OnlyTheBulkKernelCopiesMatricesWithUnalignedRows) {
    const auto copies = [](const ChampionSize& size, std::string_view config) {
        return expected_time(size, {.config = config_of(config)}, kH100)->copies;
    };
    EXPECT_EQ(copies({2048, 2048, 2048}, "256x128"), 0);
    const double a = copies({2048, 2048, 2047}, "256x128");
    EXPECT_GT(a, 1);
    // B is as large as A, so its copy takes as long.
    EXPECT_NEAR(copies({2047, 2047, 2047}, "256x128"), 2 * a, 0.02 * a);
    EXPECT_EQ(copies({2047, 2047, 2047}, "64x128"), 0);
}

TEST(ChampionChoice, SharesBlocksOutEqually) {
    const auto each = [](const ChampionSize& size, const ChampionChoice& choice) {
        return blocks_of_each(size, choice, kH100);
    };
    const int square = config_of("128x128");
    const ChampionSize size{1024, 1024, 1024};  // 64 tiles
    EXPECT_EQ(each(size, {.config = square}), 1);
    EXPECT_EQ(each(size, {.config = square, .cluster = 2}), 1);
    EXPECT_EQ(each(size, {.config = square, .rounds = 2}), 1);
    EXPECT_EQ(each(size, {.config = square, .cluster = 3}), 2);
    EXPECT_EQ(each({2048, 2048, 2048}, {.config = square}), 2);
    // 5 x 132 blocks, one more, and so many that they do not run at once
    EXPECT_EQ(each({64 * 5, 64 * 132, 64}, {.config = config_of("64x64")}), 5);
    EXPECT_EQ(each({64 * 5, 64 * 132 + 1, 64}, {.config = config_of("64x64")}), std::nullopt);
    // 30 clusters of 4 find room at once, 32 do not
    EXPECT_EQ(each({640, 768, 512}, {.config = square, .cluster = 4}), 1);
    EXPECT_EQ(each({512, 1024, 512}, {.config = square, .cluster = 4}), 2);
}

// champion_ways.csv has the time of each way, as measured. The rest of a full table, ways that take
// half as long again as the fastest, is left out of it.
TEST(ChampionChoice, PicksNearlyTheFastestOfItsWays) {
    struct Measured {
        double best = HUGE_VAL, chosen = HUGE_VAL;
    };
    std::map<std::string, Measured> by_size;
    for (const CsvRow& row : read_rows("champion_ways.csv")) {
        const ChampionSize size{std::stoi(row.at("m")), std::stoi(row.at("n")),
                                std::stoi(row.at("k"))};
        const double us = std::stod(row.at("us_back_to_back"));
        Measured& measured = by_size[row.at("m") + "x" + row.at("n") + "x" + row.at("k")];
        measured.best = std::min(measured.best, us);
        if (row.at("configuration") == name_of(choose_champion(size, kH100))) measured.chosen = us;
    }
    ASSERT_GE(by_size.size(), 300u);
    double logarithms = 0, within_3 = 0, within_10 = 0;
    const auto count = static_cast<double>(by_size.size());
    for (const auto& [size, measured] : by_size) {
        // A way that is not in the table takes longer than 1.5 times as long
        const double ratio = std::min(measured.chosen / measured.best, 2.0);
        logarithms += std::log(ratio);
        within_3 += ratio <= 1.03 ? 1 : 0;
        within_10 += ratio <= 1.10 ? 1 : 0;
    }
    EXPECT_LE(std::exp(logarithms / count), 1.026);
    EXPECT_GE(within_3 / count, 0.77);
    EXPECT_GE(within_10 / count, 0.92);
}

TEST(ChampionChoice, ExplainsItself) {
    const std::string ragged = explain_champion({1796, 557, 516});
    const ChampionChoice choice = choose_champion({1796, 557, 516}, kH100);
    EXPECT_NE(ragged.find("computes 1796 x 557 x 516 by " + name_of(choice) + "."),
              std::string::npos);
    EXPECT_NE(ragged.find("Rows of B and C do not start"), std::string::npos);
    EXPECT_EQ(ragged.find("Rows of A"), std::string::npos);
    EXPECT_NE(ragged.find("stream-K"), std::string::npos);
}

TEST(ChampionChoice, RefusesSizesThatAConfigurationDoesNotSupport) {
    for (int config = 0; config < static_cast<int>(champion_configs().size()); ++config) {
        const ChampionConfig& w = champion_configs()[static_cast<std::size_t>(config)];
        EXPECT_EQ(expected_time({w.rows + 1, 1, 100}, {.config = config}, kH100).has_value(),
                  w.kernel != ChampionKernel::kRows);
        EXPECT_EQ(expected_time({1, w.columns + 1, 100}, {.config = config}, kH100).has_value(),
                  w.kernel != ChampionKernel::kColumns);
        EXPECT_EQ(
            expected_time({1, 1, 100}, {.config = config, .stream_k = true}, kH100).has_value(),
            w.kernel == ChampionKernel::kBulk);
        // A block without a stage would wait for it for ever.
        EXPECT_FALSE(expected_time({1, 1, 3 * w.depth}, {.config = config, .cluster = 4}, kH100));
        EXPECT_FALSE(expected_time({1, 1, 9999}, {.config = config, .cluster = 9}, kH100));
    }
}

}  // namespace
}  // namespace tilereel::champion_choice_test
