// The device that races, what races next and what of a race is selected; races of a pair.
#include "app/workbench/race/race_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/race/files/race_file.h"
#include "tests/trace/scratch_folder.h"
#include "tests/workbench/fake_gpu_bench.h"

namespace tilereel::race_bench_test {
namespace {

using ::testing::HasSubstr;

TEST(RaceBench, FindsTheDeviceAndChoosesAFirstRace) {
    RaceBench bench = bench_at_once();
    EXPECT_FALSE(bench.looked_for_device());
    bench.apply(FindDevice{});
    ASSERT_NE(bench.machine(), nullptr);
    EXPECT_EQ(bench.machine()->device, "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(bench.next().contenders, first_request(true).contenders);
}

TEST(RaceBench, SaysThatItLooksForADeviceUntilItHasLooked) {
    RaceBench bench({.runner = fake_gpu(), .recorded = {}, .save_folder = ".", .on_worker = true});
    EXPECT_FALSE(bench.looking_for_device());
    bench.apply(FindDevice{});
    EXPECT_TRUE(bench.looking_for_device());
    EXPECT_FALSE(bench.looked_for_device());
    ASSERT_TRUE(frames_until(bench, [&] { return bench.looked_for_device(); }));
    EXPECT_FALSE(bench.looking_for_device());
}

TEST(RaceBench, RacesWhatIsChosen) {
    RaceBench bench = bench_at_once();
    choose_two(bench);
    bench.apply(SetRepeats{5});
    bench.apply(StartRace{});
    ASSERT_NE(bench.shown(), nullptr);
    const ShownRace& shown = *bench.shown();
    EXPECT_FALSE(shown.running);
    EXPECT_TRUE(shown.race.complete);
    EXPECT_EQ(shown.race.samples.size(), 2u * 5);
    EXPECT_EQ(shown.figures.samples, 10u);
    // 4 ms a launch: 2 x 256^3 FLOP in it.
    EXPECT_NEAR(*shown.figures.median(0, 0), 2 * 256.0 * 256 * 256 / 4e6, 1e-6);
    ASSERT_NE(bench.counts(shown.race.request.contenders[0]), nullptr);
    EXPECT_GT(bench.counts(shown.race.request.contenders[0])->counts.shared_load.bank_conflicts,
              0u);
    EXPECT_EQ(bench.counts(shown.race.request.contenders[1])->counts.shared_load.bank_conflicts,
              0u);
}

// The kernels of a recorded race are recorded small for the roofline in the background, also while
// a GPU races.
TEST(RaceBench, CountsEachKernelOfARecordedRaceInTheBackground) {
    const tests::ScratchFolder folder;
    const auto path = folder / "h100.json";
    ASSERT_TRUE(write_race(hardware_race(), path).has_value());
    for (const bool gpu : {false, true}) {
        RaceBench bench({.runner = gpu ? fake_gpu() : RunnerFactory{}, .recorded = {path}});
        bench.apply(FindDevice{});
        bench.apply(ShowFirstRecorded{});
        ASSERT_TRUE(frames_until(bench, [&] { return bench.shown() && !bench.busy(); }));
        for (const Contender& contender : hardware_race().request.contenders) {
            if (is_reference(contender)) continue;
            ASSERT_NE(bench.counts(contender), nullptr) << name_of(contender);
        }
        // TILE 32 reads each element a 32nd as often as naive: 8 FLOP a byte against 1/4.
        EXPECT_DOUBLE_EQ(*counted_intensity(*bench.counts(Contender{"09_tiled", 32, 0})), 8);
        EXPECT_DOUBLE_EQ(*counted_intensity(*bench.counts(Contender{"02_naive", 32, 0})), 0.25);
    }
}

TEST(RaceBench, TogglesWhatRacesNext) {
    RaceBench bench = bench_at_once();
    bench.apply(FindDevice{});
    const Contender sixteen{"09_tiled", 16, 0};
    const auto has = [&] { return std::ranges::count(bench.next().contenders, sixteen) == 1; };
    EXPECT_TRUE(has());
    bench.apply(ToggleContender{sixteen});
    EXPECT_FALSE(has());
    bench.apply(ToggleContender{sixteen});
    EXPECT_TRUE(has());
    bench.apply(ToggleSize{{1000, 3000, 700}});
    bench.apply(ToggleSize{{64, 64, 64}});
    EXPECT_EQ(bench.next().sizes.front(), (ProductSize{64, 64, 64}));  // by size
    bench.apply(SetCaches{Caches::kWarm});
    EXPECT_EQ(bench.next().caches, Caches::kWarm);
    bench.apply(SetRepeats{-3});
    EXPECT_EQ(bench.next().repeats, 1);
}

TEST(RaceBench, NothingChosenIsAMessage) {
    RaceBench bench = bench_at_once();
    bench.apply(FindDevice{});
    bench.apply(ChooseContenders{});
    bench.apply(StartRace{});
    EXPECT_THAT(bench.message(), HasSubstr("name a kernel"));
    EXPECT_FALSE(bench.racing());
}

TEST(RaceBench, ASweepRacesEveryTileAndPadAtOneSize) {
    RaceBench bench = bench_at_once();
    bench.apply(FindDevice{});
    bench.apply(StartSweep{"09_tiled"});
    ASSERT_NE(bench.shown(), nullptr);
    EXPECT_EQ(bench.shown()->race.request.contenders, sweep_of("09_tiled"));
    EXPECT_EQ(bench.shown()->race.request.sizes.size(), 1u);
    EXPECT_EQ(bench.view().plot, RacePlot::kSweep);
}

TEST(RaceBench, SelectsPointsAndSizesAndHidesLines) {
    const tests::ScratchFolder folder;
    const auto path = folder / "h100.json";
    ASSERT_TRUE(write_race(hardware_race(), path).has_value());
    RaceBench bench = bench_at_once({}, {path});
    bench.apply(SelectPoint{1, 1});  // nothing is shown: nothing happens
    bench.apply(OpenRace{path});
    bench.apply(SelectPoint{1, std::nullopt});
    EXPECT_EQ(bench.focus(), 1u);
    bench.apply(SelectPoint{1, std::nullopt});
    EXPECT_EQ(bench.focus(), 3u);
    bench.apply(SelectSize{0});
    EXPECT_EQ(bench.size(), 0u);
    bench.apply(SelectSize{99});
    EXPECT_EQ(bench.size(), 0u);
    bench.apply(ToggleLine{2});
    EXPECT_EQ(bench.view().lines.shown(2), LineShown::kHidden);
    bench.apply(ToggleLine{99});
    bench.apply(SelectPoint{99, std::nullopt});
    EXPECT_EQ(bench.focus(), 3u);
    bench.apply(SetLogarithmic{.of_sizes = true, .on = false});
    EXPECT_FALSE(bench.view().log_sizes);
    EXPECT_TRUE(bench.view().log_figures);
}

TEST(RaceBench, ThePairRacesAtFullSpeedBesideTheirCounts) {
    RaceBench bench = bench_at_once();
    const KernelParameters watched{.m = 32, .n = 32, .k = 32, .tile = 32, .pad = 0};
    bench.apply(RacePair{"08_tiled_b_transposed", watched});
    ASSERT_NE(bench.pair(), nullptr);
    const PairRace& pair = *bench.pair();
    EXPECT_EQ(pair.counterpart, (Contender{"08_tiled_b_transposed", 32, 1}));
    ASSERT_TRUE(pair.has_race());
    EXPECT_EQ(pair.race.race.request.sizes[0], (ProductSize{4096, 4096, 4096}));
    EXPECT_TRUE(pair.race.figures.median(0, 0).has_value());
    EXPECT_EQ(bench.shown(), nullptr);  // the Race page shows no race
    // 32x32x32, TILE 32: 32 warps, each 32 reads of Bs in 32 wavefronts: 31 conflicts each; and the
    // transposed store of one row by each of 32 warps: 31 each.
    EXPECT_EQ(bench.counts(pair.watched_launch)->counts.shared_load.bank_conflicts, 32u * 32 * 31);
    EXPECT_EQ(bench.counts(pair.watched_launch)->counts.shared_store.bank_conflicts, 32u * 31);
    EXPECT_EQ(bench.counts(pair.counterpart_launch)->counts.shared_load.bank_conflicts, 0u);
    bench.apply(ClosePair{});
    EXPECT_EQ(bench.pair(), nullptr);
}

TEST(RaceBench, WithoutAGpuThePairComesFromARecordedRace) {
    const tests::ScratchFolder folder;
    const auto path = folder / "h100.json";
    ASSERT_TRUE(write_race(hardware_race(), path).has_value());
    RaceBench bench = bench_at_once({}, {folder / "missing.json", path});
    bench.apply(
        RacePair{"08_tiled_b_transposed", {.m = 32, .n = 32, .k = 32, .tile = 32, .pad = 1}});
    ASSERT_TRUE(bench.pair()->has_race());
    EXPECT_TRUE(bench.pair()->race.race.recorded);
    bench.apply(
        RacePair{"07_tiled_b_uncoalesced", {.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0}});
    EXPECT_FALSE(bench.pair()->has_race());
    EXPECT_THAT(bench.pair()->sentence, HasSubstr("no recorded race"));
    EXPECT_FALSE(bench.busy());
}

TEST(RaceBench, TheFirstRungHasNoCounterpart) {
    RaceBench bench = bench_at_once();
    bench.apply(RacePair{"saxpy", {}});
    EXPECT_NE(bench.message().find("'saxpy' is a kernel of a program"), std::string::npos);
    bench.apply(RacePair{"01_naive_by_column", {.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0}});
    EXPECT_EQ(bench.pair(), nullptr);
    EXPECT_NE(bench.message(), "");
}

TEST(RaceBench, ARunnerThatThrowsIsAMessage) {
    RaceBench bench = bench_at_once([]() -> FoundRunner { throw std::runtime_error("no driver"); });
    bench.apply(FindDevice{});
    EXPECT_THAT(bench.device_fault(), HasSubstr("no driver"));
}

}  // namespace
}  // namespace tilereel::race_bench_test
