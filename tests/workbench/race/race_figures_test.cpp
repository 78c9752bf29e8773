#include "app/workbench/race/race_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "app/ladder/ladder.h"
#include "app/workbench/race/race_bench.h"
#include "app/workbench/race/race_sentence.h"
#include "tests/race/hardware_race.h"

namespace tilereel::race_figures_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint32_t kCublasRow = 0, kTiled32 = 1, kPadded = 3, kNaive = 4, kPlain = 5,
                        kByColumn = 6;
constexpr std::uint32_t k4096 = 2, k8192 = 3;

SizedCounts counted_launch(const CountedLaunch& launch) {
    const KernelParameters& p = launch.parameters;
    const Result<Trace> trace =
        record_built_in({.kernel = launch.kernel, .parameters = p, .inputs = {}});
    EXPECT_TRUE(trace.has_value());
    return {.counts = count_kernel(*trace), .size = {p.m, p.n, p.k}};
}

SizedCounts counted(const std::string& kernel, int extent, int tile, int pad = 0) {
    return counted_launch(
        {kernel, {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = pad}});
}

TEST(RaceFigures, MediansAreOfTheSamples) {
    const RaceFigures figures = figures_of(hardware_race());
    for (std::uint32_t c = 0; c < kHardwareRows.size(); ++c)
        for (std::uint32_t s = 0; s < kHardwareSizes.size(); ++s)
            EXPECT_NEAR(*figures.median(c, s), kHardwareRows[c].gflops[s], 1e-6);
    EXPECT_EQ(figures.reference, kCublasRow);
    EXPECT_EQ(figures.samples, 7u * 4 * 7);
    EXPECT_EQ(figures.samples_expected, figures.samples);
    EXPECT_FALSE(figures.running_size.has_value());
}

TEST(RaceFigures, ARaceUnderWayKnowsWhereItIs) {
    Race race = hardware_race();
    race.complete = false;
    // Of 7 x 4 x 7 samples: all at the first two sizes, and the first contender's first at the
    // third.
    race.verified.resize(2 * 7 + 1);
    race.samples.resize(2 * 7 * 7 + 1);
    const RaceFigures figures = figures_of(race, true);
    EXPECT_EQ(figures.running_size, k4096);
    EXPECT_EQ(figures.samples_expected, 7u * 4 * 7);
    EXPECT_EQ(default_size(race, figures), 1u);  // not the one being sampled
}

TEST(RaceFigures, AFailedContenderHasNoSpeed) {
    Race race = hardware_race();
    add(race, Verified{.contender = kTiled32,
                       .size = k4096,
                       .outcome = Outcome::kWrong,
                       .sentence = "C is wrong"});
    const RaceFigures figures = figures_of(race);
    EXPECT_FALSE(figures.median(kTiled32, k4096).has_value());
    EXPECT_TRUE(figures.median(kTiled32, k8192).has_value());
    EXPECT_THAT(plain_text(race_sentence({.race = race, .figures = figures})),
                HasSubstr("computes a wrong C"));
}

TEST(RaceFigures, PaddedAndPlainDifferInPaddingOnly) {
    const Race race = hardware_race();
    EXPECT_EQ(counterpart_of(race.request, kPadded), kPlain);
    EXPECT_EQ(counterpart_of(race.request, kPlain), kPadded);
    EXPECT_FALSE(counterpart_of(race.request, kTiled32).has_value());  // 16 has another TILE
    EXPECT_EQ(default_padding(race, figures_of(race)), kPadded);
}

TEST(RaceFigures, SpeedUpIsOverNaiveWithTheSameTile) {
    const Race race = hardware_race();
    const RaceFigures figures = figures_of(race);
    EXPECT_NEAR(*speed_up(race.request, figures, kTiled32, k4096), 8922.0 / 6133, 1e-9);
    EXPECT_NEAR(*speed_up(race.request, figures, kByColumn, k4096), 502.0 / 6133, 1e-9);
    EXPECT_DOUBLE_EQ(*speed_up(race.request, figures, kNaive, k8192), 1);
    EXPECT_NEAR(*share_of_reference(figures, kTiled32, k4096), 8922.0 / 51396, 1e-9);
}

TEST(RaceFigures, EffectiveBandwidthMovesEachMatrixOnce) {
    // N = 4096 at 6,977 GFLOPS: 3 x 4 x 4096^2 bytes in 2 x 4096^3 / 6,977e9 seconds.
    const double seconds = 2.0 * std::pow(4096.0, 3) / 6977e9;
    EXPECT_NEAR(effective_bandwidth({4096, 4096, 4096}, 6977), 12.0 * 4096 * 4096 / seconds / 1e9,
                1e-6);
    EXPECT_NEAR(effective_bandwidth({2, 3, 5}, 60), 60 * 4.0 * (10 + 15 + 6) / 60, 1e-9);
    EXPECT_NEAR(effective_bandwidth({2, 3, 5}, 60, InputType::kBfloat16),  // 2 bytes of A and B
                60 * (2.0 * (10 + 15) + 4.0 * 6) / 60, 1e-9);
}

// 2 FLOP / 8 bytes for naive, and TILE times that with square tiles. A block of 12 computes 16 rows
// of 64 columns: it reads 16 x 16 words of A and 16 x 64 of B for 16 x 16 x 64 multiply-adds.
TEST(RaceFigures, CountedIntensityIsTheClassicalOne) {
    EXPECT_DOUBLE_EQ(*counted_intensity(counted("02_naive", 32, 16)), 0.25);
    EXPECT_DOUBLE_EQ(*counted_intensity(counted("01_naive_by_column", 32, 16)), 0.25);
    for (const int tile : {8, 16, 32})
        EXPECT_DOUBLE_EQ(*counted_intensity(counted("09_tiled", 64, tile)), 0.25 * tile);
    EXPECT_DOUBLE_EQ(*counted_intensity(counted("08_tiled_b_transposed", 64, 32, 1)), 8);
    EXPECT_DOUBLE_EQ(*counted_intensity(counted("12_outer_product", 64, 16)),
                     2.0 * 16 * 16 * 64 / (4 * (16 * 16 + 16 * 64)));
}

// 09 with TILE 32: sectors are full, so the bytes moved are the bytes requested. The stores to C
// are added.
TEST(RaceFigures, RecordedIntensityIsOfTheSizeRaced) {
    const SizedCounts small = counted("09_tiled", 64, 32);
    for (const int n : {64, 4096}) {
        const double loads = 8.0 * n / 32, stores = 4;  // bytes an element of C
        EXPECT_NEAR(*recorded_intensity(small, {n, n, n}), 2.0 * n / (loads + stores), 1e-9);
    }
    // 01: a warp's 32 loads of A touch 32 sectors of which 4 bytes each are used.
    EXPECT_LT(*recorded_intensity(counted("01_naive_by_column", 64, 32), {4096, 4096, 4096}), 0.07);
}

TEST(RaceSentence, SaysWhatPaddingDoes) {
    const Race race = hardware_race();
    const RaceFigures figures = figures_of(race);
    EXPECT_EQ(
        plain_text(race_sentence({.race = race, .figures = figures})),
        "One word of padding a row: 1,623 becomes 7,004 GFLOPS at N = 8,192. Recorded on NVIDIA "
        "H100 80GB HBM3, 2026-11-21.");
}

TEST(RaceSentence, NamesTheKernelWhoseRecordingHasTheConflict) {
    const Race race = hardware_race();
    const RaceFigures figures = figures_of(race);
    const SizedCounts plain = counted("08_tiled_b_transposed", 64, 32, 0);
    const SizedCounts padded = counted("08_tiled_b_transposed", 64, 32, 1);
    const auto counts = [&](const Contender& contender) {
        return contender.pad == 0 ? &plain : &padded;
    };
    EXPECT_THAT(plain_text(race_sentence({.race = race, .figures = figures, .counts = counts})),
                HasSubstr("The 32-way conflict in the recording of 08 tiled_b_transposed is gone "
                          "here, too."));
}

TEST(RaceSentence, PaddingThatCostsIsSaidToCost) {
    Race race = hardware_race();
    race.request.contenders = {{"09_tiled", 32, 0}, {"09_tiled", 32, 1}};
    race.samples.clear();
    race.verified.clear();
    add_samples(race, 0, k4096, 8922, 3);
    add_samples(race, 1, k4096, 7000, 3);
    EXPECT_THAT(
        plain_text(race_sentence({.race = race, .figures = figures_of(race)})),
        HasSubstr(
            "One word of padding a row costs speed: 8,922 becomes 7,000 GFLOPS at N = 4,096."));
    race.samples.clear();
    add_samples(race, 0, k4096, 8922, 3);
    add_samples(race, 1, k4096, 8900, 3);
    EXPECT_THAT(plain_text(race_sentence({.race = race, .figures = figures_of(race)})),
                HasSubstr("changes little"));
}

TEST(RaceSentence, WithoutACounterpartItComparesWithNaiveAndTheReference) {
    const Race race = hardware_race();
    const RaceFigures figures = figures_of(race);
    EXPECT_THAT(
        plain_text(race_sentence({.race = race, .figures = figures, .chosen = kTiled32})),
        HasSubstr("09 tiled, TILE 32: 8,994 GFLOPS at N = 8,192, 1.6 times 02 naive, 17.3 % "
                  "of cuBLAS FP32."));
}

TEST(RaceSentence, ARaceWithoutSamplesSaysSo) {
    Race race = hardware_race();
    race.samples.clear();
    race.verified.clear();
    EXPECT_THAT(plain_text(race_sentence({.race = race, .figures = figures_of(race)})),
                HasSubstr("Nothing was measured"));
}

TEST(RaceText, FiguresHaveThreeDigits) {
    EXPECT_EQ(figure_text(6977.4), "6,977");
    EXPECT_EQ(figure_text(99.96), "100");
    EXPECT_EQ(figure_text(48.25), "48.2");
    EXPECT_EQ(figure_text(0.923), "0.92");
    EXPECT_EQ(times_text(4.3015),
              "\xc3\x97"
              "4.3");
    EXPECT_EQ(size_text({1000, 3000, 700}), "M N K = 1,000 3,000 700");
    EXPECT_EQ(machine_text({.device = "AMD EPYC", .threads = 2}), "CPU: AMD EPYC, 2 threads");
}

TEST(RaceChoice, TheCounterpartIsTheOtherPadOrTheRungBefore) {
    EXPECT_EQ(counterpart_to_race({"08_tiled_b_transposed", 32, 0}),
              (Contender{"08_tiled_b_transposed", 32, 1}));
    EXPECT_EQ(counterpart_to_race({"08_tiled_b_transposed", 32, 1}),
              (Contender{"08_tiled_b_transposed", 32, 0}));
    EXPECT_EQ(counterpart_to_race({"02_naive", 16, 0}), (Contender{"01_naive_by_column", 16, 0}));
    EXPECT_FALSE(counterpart_to_race({"01_naive_by_column", 16, 0}).has_value());
}

// A kernel of tensor cores is compared with cuBLAS in BF16, the others with pedantic FP32.
TEST(RaceChoice, EachTypeHasAReferenceOfItsOwn) {
    RaceRequest request;
    request.sizes = {{1024, 1024, 1024}};
    const std::vector<Contender> ladder = ladder_of(request, true);
    int of_bf16 = 0;
    for (const Contender& contender : ladder) {
        const auto reference = reference_of(ladder, contender);
        ASSERT_TRUE(reference.has_value()) << name_of(contender);
        const bool bf16 = contender.kernel >= "21" && contender.kernel < "26";
        of_bf16 += bf16;
        EXPECT_EQ(ladder[*reference].kernel,
                  bf16 || contender.kernel == kCublasBf16 ? kCublasBf16 : kCublas)
            << name_of(contender);
    }
    EXPECT_EQ(of_bf16, 5);
    EXPECT_EQ(reference_of({{"22_mma_ldmatrix", 64, 0}, {std::string(kCublas)}},
                           {"22_mma_ldmatrix", 64, 0}),
              std::nullopt);
}

TEST(RaceChoice, WhatIsOfferedCanRace) {
    for (const Contender& contender : contenders_offered(true))
        EXPECT_EQ(is_reference(contender),
                  contender.kernel == kCublas || contender.kernel == kCublasBf16);
    const RaceRequest first = first_request(true);
    EXPECT_TRUE(check_request(first).has_value());
    for (const Contender& contender : first.contenders)
        for (const ProductSize& size : first.sizes)
            EXPECT_TRUE(takes(contender, size).has_value())
                << name_of(contender) << " " << name_of(size);
    EXPECT_EQ(sweep_of("09_tiled").size(), 15u);  // TILE 2 4 8 16 32 x PAD 0 1 2
}

// A race on an H200 (champion.csv) has the champion's tiles at each size. The recorded counts apply
// where they were 256 x 128.
TEST(RaceChoice, TheChampionIsCountedWhereItsTilesAreTheRecordedOnes) {
    const Contender champion{"20_champion"};
    std::ifstream table(TILEREEL_SOURCE_DIR "/tests/hardware/champion.csv");
    std::string line;
    std::getline(table, line);
    int counted = 0, all = 0;
    for (; std::getline(table, line); ++all) {
        ProductSize size;
        ASSERT_EQ(std::sscanf(line.c_str(), "%d,%d,%d", &size.m, &size.n, &size.k), 3);
        const bool recorded = line.find(",256x128") != std::string::npos;
        EXPECT_EQ(races_as_counted(champion, size, 132), recorded) << line;
        counted += recorded;
    }
    EXPECT_GE(counted, 5);
    EXPECT_GT(all, counted);
    EXPECT_FALSE(races_as_counted(champion, {8192, 8192, 8192}, 0));
    EXPECT_TRUE(races_as_counted({"09_tiled", 32, 0}, {64, 64, 64}, 0));
    // For 64 values of k a block loads 256 x 64 floats of A and 64 x 128 of B.
    const auto launch = small_launch(champion);
    ASSERT_TRUE(launch.has_value());
    EXPECT_DOUBLE_EQ(*counted_intensity(counted_launch(*launch)),
                     2.0 * 256 * 128 / (4 * (256 + 128)));
}

TEST(RaceChoice, AReplayedPointIsSmall) {
    for (const Contender& contender : contenders_offered(true)) {
        if (is_reference(contender)) continue;
        const KernelParameters p = parameters_to_watch(contender);
        const KernelInfo& kernel = *find_kernel(contender.kernel);
        const auto shape = kernel.launch_shape(p);
        ASSERT_TRUE(shape) << name_of(contender);
        // Two blocks, one above the other, are the fewest of a kernel whose rows are not TILE.
        const int rows = shape->tile_rows == p.tile ? p.tile : 2 * shape->tile_rows;
        EXPECT_LE(std::max({p.m, p.n, p.k}), std::max({64, p.tile, rows})) << name_of(contender);
        EXPECT_TRUE(validate(kernel, p).has_value()) << name_of(contender);
        EXPECT_EQ(p.tile, chooses_tiles(contender) ? 16 : contender.tile);
        EXPECT_EQ(p.pad, contender.pad);
    }
}

// A race of these kernels at one size, one sample each.
Race race_of(const std::vector<std::pair<Contender, double>>& rows) {
    Race race;
    race.request.sizes = {{64, 64, 64}};
    for (const auto& [contender, gflops] : rows) {
        const auto c = static_cast<std::uint32_t>(race.request.contenders.size());
        race.request.contenders.push_back(contender);
        add(race, Verified{.contender = c});
        add(race, Sample{.contender = c, .milliseconds = 1, .rate = gflops});
    }
    race.complete = true;
    return race;
}

TEST(DefaultLines, AreAllOfAFew) {
    const Race race = race_of({{{"cublas"}, 100}, {{"02_naive", 32}, 10}, {{"09_tiled", 32}, 5}});
    EXPECT_EQ(default_lines(race, figures_of(race)), (std::vector<std::uint32_t>{0, 1, 2}));
}

// Steps up the ladder: x8, x1.5, x3, x2, x1.1, x1.05, x1.02. 03 is slower than 02; 12 has a faster
// TILE. The first, the four largest steps and the top stay.
TEST(DefaultLines, AreTheReferenceAndTheLargestStepsOfTheLadder) {
    const Race race = race_of({{{"cublas"}, 100},
                               {{"01_naive_by_column", 32}, 1},
                               {{"02_naive", 32}, 8},
                               {{"03_guide_simple", 32}, 4},
                               {{"09_tiled", 32}, 12},
                               {{"12_outer_product", 8}, 20},
                               {{"12_outer_product", 16}, 36},
                               {{"15_register_tile", 128}, 72},
                               {{"16_vectorized", 128}, 79.2},
                               {{"18_warp_tiled", 128}, 83.16},
                               {{"20_champion"}, 84.82}});
    EXPECT_EQ(default_lines(race, figures_of(race)),
              (std::vector<std::uint32_t>{0, 1, 2, 4, 6, 7, 10}));
}

TEST(RaceLines, AStrongLineKeepsItsColourWhileOthersComeAndGo) {
    RaceLines lines;
    lines.begin(5);
    lines.suggest({0, 1, 2});
    EXPECT_EQ(lines.slot(2), 2u);
    lines.toggle_strong(1);
    EXPECT_EQ(lines.shown(1), LineShown::kThin);
    EXPECT_EQ(lines.slot(2), 2u);
    lines.toggle_strong(4);
    EXPECT_EQ(lines.slot(4), 1u) << "the colour that is free";
    lines.suggest({0});
    EXPECT_EQ(lines.shown(4), LineShown::kStrong) << "someone chose: nothing is suggested any more";
    lines.toggle_only(3);
    EXPECT_EQ(lines.count(LineShown::kStrong), 1u);
    lines.toggle_only(3);
    EXPECT_EQ(lines.count(LineShown::kStrong), 3u);
    lines.toggle_hidden(0);
    EXPECT_EQ(lines.shown(0), LineShown::kHidden);
    lines.toggle_strong(99);
    lines.toggle_only(99);
    lines.toggle_hidden(99);
    EXPECT_EQ(lines.shown(99), LineShown::kHidden);
}

}  // namespace
}  // namespace tilereel::race_figures_test
