#include "app/workbench/race_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include "app/race/race_file.h"
#include "tests/race/fake_runner.h"
#include "tests/race/hardware_race.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel {
namespace {

using ::testing::HasSubstr;

class FakeGpu : public FakeRunner {
  public:
    RaceMachine machine(const std::atomic<bool>&) override { return hardware_machine(); }
};

// A runner on which launches wait until they are let through, or cancelled.
class Gate {
  public:
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }
    void wait(const std::atomic<bool>& cancel) {
        std::unique_lock lock(mutex_);
        ++waiting_;
        while (!open_ && !cancel) changed_.wait_for(lock, std::chrono::milliseconds(2));
    }
    [[nodiscard]] int waiting() {
        const std::lock_guard lock(mutex_);
        return waiting_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false;
    int waiting_ = 0;
};
class GatedGpu : public FakeGpu {
  public:
    explicit GatedGpu(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {}
    Result<double> time(const Contender& contender, int launches,
                        const std::atomic<bool>& cancel) override {
        gate_->wait(cancel);
        return FakeGpu::time(contender, launches, cancel);
    }

  private:
    std::shared_ptr<Gate> gate_;
};

RunnerFactory fake_gpu() {
    return [] { return FoundRunner{std::make_unique<FakeGpu>(), {}}; };
}

RaceBench bench_at_once(RunnerFactory factory = fake_gpu(),
                        std::vector<std::filesystem::path> recorded = {},
                        std::filesystem::path folder = ".") {
    return RaceBench({.runner = std::move(factory),
                      .recorded = std::move(recorded),
                      .save_folder = std::move(folder),
                      .on_worker = false});
}

void choose_two(RaceBench& bench) {
    bench.apply(FindDevice{});
    bench.apply(
        ChooseContenders{{{"08_tiled_b_transposed", 32, 0}, {"08_tiled_b_transposed", 32, 1}}});
    while (bench.next().sizes.size() > 1) bench.apply(ToggleSize{bench.next().sizes.back()});
}

// Frames until `done`; false after half a minute.
template <class Condition>
bool frames_until(RaceBench& bench, const Condition& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!done()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        bench.advance();
    }
    return true;
}

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

TEST(RaceBench, WithoutADeviceItSaysWhyAndOpensRecordedRaces) {
    const testing::ScratchFolder folder;
    const auto path = folder / "h100.json";
    ASSERT_TRUE(write_race(hardware_race(), path).has_value());
    RaceBench bench = bench_at_once({}, {path});
    bench.apply(FindDevice{});
    EXPECT_TRUE(bench.looked_for_device());
    EXPECT_EQ(bench.machine(), nullptr);
    bench.apply(StartRace{});
    EXPECT_THAT(bench.message(), HasSubstr("recorded race"));
    bench.apply(DismissRaceMessage{});
    bench.apply(OpenRace{path});
    ASSERT_NE(bench.shown(), nullptr);
    EXPECT_TRUE(bench.shown()->race.recorded);
    EXPECT_EQ(bench.focus(), 3u);  // 08 with PAD 1
    EXPECT_EQ(bench.size(), 3u);   // 8192: all have it
    EXPECT_EQ(bench.message(), "");
}

TEST(RaceBench, ShowsTheFirstRecordedRaceUntilThereIsAnother) {
    const testing::ScratchFolder folder;
    const auto first = folder / "first.json", second = folder / "second.json";
    Race other = hardware_race();
    other.date = "2025-01-01T00:00:00Z";
    ASSERT_TRUE(write_race(hardware_race(), first).has_value());
    ASSERT_TRUE(write_race(other, second).has_value());
    // Without a device, too.
    RaceBench bench = bench_at_once({}, {first, second});
    EXPECT_EQ(bench.shown(), nullptr);
    bench.apply(ShowFirstRecorded{});
    ASSERT_NE(bench.shown(), nullptr);
    EXPECT_EQ(bench.shown()->file, first);
    EXPECT_TRUE(bench.shown()->race.recorded);
    EXPECT_FALSE(bench.has_own());
    EXPECT_FALSE(bench.busy());
    // Once something is shown it stays.
    bench.apply(OpenRace{second});
    bench.apply(ShowFirstRecorded{});
    EXPECT_EQ(bench.shown()->file, second);
    // A race of one's own takes its place, and the recorded one is still on offer.
    RaceBench here = bench_at_once(fake_gpu(), {first});
    here.apply(ShowFirstRecorded{});
    choose_two(here);
    here.apply(StartRace{});
    EXPECT_FALSE(here.shown()->race.recorded);
    EXPECT_EQ(here.shown()->race.samples.size(), 14u);
    here.apply(OpenRace{here.files()[0]});
    EXPECT_TRUE(here.shown()->race.recorded);
    here.apply(ShowOwnRace{});
    EXPECT_EQ(here.shown()->race.samples.size(), 14u);
}

TEST(RaceBench, AFirstSightThatComesLateDoesNotReplaceARace) {
    const testing::ScratchFolder folder;
    const auto path = folder / "h100.json";
    ASSERT_TRUE(write_race(hardware_race(), path).has_value());
    const auto gate = std::make_shared<Gate>();
    RaceBench bench({.runner =
                         [gate] {
                             return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                         },
                     .recorded = {path}});
    bench.apply(FindDevice{});
    ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
    choose_two(bench);
    bench.apply(StartRace{});
    bench.apply(ShowFirstRecorded{});
    ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    ASSERT_TRUE(frames_until(bench, [&] { return bench.shown() != nullptr; }));
    gate->open();
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.busy(); }));
    EXPECT_FALSE(bench.shown()->race.recorded);
}

// What the roofline needs of a recorded race is recorded small without being asked for, beside a
// race on a GPU as well.
TEST(RaceBench, CountsEachKernelOfARecordedRaceInTheBackground) {
    const testing::ScratchFolder folder;
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

TEST(RaceBench, KernelsAreCountedWhileAGpuRacesThem) {
    const auto gate = std::make_shared<Gate>();
    RaceBench bench({.runner =
                         [gate] {
                             return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                         },
                     .recorded = {}});
    bench.apply(FindDevice{});
    ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
    choose_two(bench);
    bench.apply(StartRace{});
    ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    ASSERT_TRUE(frames_until(bench, [&] {
        return bench.counts(Contender{"08_tiled_b_transposed", 32, 0}) != nullptr;
    }));
    EXPECT_TRUE(bench.racing());
    gate->open();
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.busy(); }));
}

TEST(RaceBench, AFileThatIsNoRaceIsAMessageAndChangesNothing) {
    const testing::ScratchFolder folder;
    const auto path = folder / "no.json";
    std::ofstream(path) << "{}";
    RaceBench bench = bench_at_once();
    bench.apply(OpenRace{path});
    EXPECT_EQ(bench.shown(), nullptr);
    EXPECT_NE(bench.message(), "");
    EXPECT_FALSE(bench.busy());
}

TEST(RaceBench, SavesOpensAndComparesRaces) {
    const testing::ScratchFolder folder;
    RaceBench bench = bench_at_once(fake_gpu(), {}, folder.path());
    choose_two(bench);
    bench.apply(StartRace{});
    const Race raced = bench.shown()->race;
    bench.apply(SaveRace{});
    ASSERT_EQ(bench.files().size(), 1u);
    EXPECT_THAT(bench.message(), HasSubstr(bench.files()[0].string()));
    bench.apply(CompareRace{bench.files()[0]});
    ASSERT_NE(bench.compared(), nullptr);
    EXPECT_EQ(bench.compared()->race.samples.size(), raced.samples.size());
    bench.apply(CompareRace{});
    EXPECT_EQ(bench.compared(), nullptr);
    bench.apply(OpenRace{bench.files()[0]});
    EXPECT_TRUE(bench.shown()->race.recorded);
    ASSERT_TRUE(bench.has_own());
    bench.apply(ShowOwnRace{});
    EXPECT_FALSE(bench.shown()->race.recorded);
    bench.apply(SaveRace{RaceExport::kTable});
    std::size_t lines = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder.path()))
        if (file.path().extension() == ".csv") {
            std::ifstream stream(file.path());
            for (std::string line; std::getline(stream, line);) ++lines;
        }
    EXPECT_EQ(lines, 1 + raced.samples.size());
}

TEST(RaceBench, SavesWhereItIsToldAndOffersThatFolderNext) {
    const testing::ScratchFolder first, second;
    RaceBench bench = bench_at_once(fake_gpu(), {}, first.path());
    choose_two(bench);
    bench.apply(StartRace{});
    EXPECT_EQ(bench.save_path(RaceExport::kFile).parent_path(), first.path());
    const std::filesystem::path mine = second / "mine.json";
    bench.apply(SaveRace{RaceExport::kFile, mine});
    EXPECT_TRUE(std::filesystem::exists(mine));
    EXPECT_EQ(bench.message(), "Saved as " + mine.string());
    EXPECT_EQ(bench.save_path(RaceExport::kPicture).parent_path(), second.path());
    EXPECT_EQ(bench.save_path(RaceExport::kPicture).extension(), ".png");
    bench.apply(SaveRace{RaceExport::kTable, first / "none" / "x.csv"});
    EXPECT_EQ(bench.message().find("Saved"), std::string::npos) << bench.message();
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
    const testing::ScratchFolder folder;
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
    EXPECT_EQ(bench.shown(), nullptr);  // the stage's race is its own
    // 32x32x32, TILE 32: 32 warps, each 32 reads of Bs in 32 wavefronts: 31 conflicts each; and the
    // transposed store of one row by each of 32 warps: 31 each.
    EXPECT_EQ(bench.counts(pair.watched_launch)->counts.shared_load.bank_conflicts, 32u * 32 * 31);
    EXPECT_EQ(bench.counts(pair.watched_launch)->counts.shared_store.bank_conflicts, 32u * 31);
    EXPECT_EQ(bench.counts(pair.counterpart_launch)->counts.shared_load.bank_conflicts, 0u);
    bench.apply(ClosePair{});
    EXPECT_EQ(bench.pair(), nullptr);
}

TEST(RaceBench, WithoutAGpuThePairComesFromARecordedRace) {
    const testing::ScratchFolder folder;
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
    bench.apply(RacePair{"01_naive_by_column", {.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0}});
    EXPECT_EQ(bench.pair(), nullptr);
    EXPECT_NE(bench.message(), "");
}

TEST(RaceBench, SamplesStreamWhileFramesGoOn) {
    const auto gate = std::make_shared<Gate>();
    RaceBench bench({.runner =
                         [gate] {
                             return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                         },
                     .recorded = {}});
    bench.apply(FindDevice{});
    ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
    choose_two(bench);
    bench.apply(StartRace{});
    // The first launch waits: the race has begun, both are verified, nothing is measured.
    ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    ASSERT_TRUE(frames_until(
        bench, [&] { return bench.shown() && bench.shown()->race.verified.size() == 2; }));
    EXPECT_TRUE(bench.racing());
    EXPECT_EQ(bench.shown()->figures.running_size, 0u);
    EXPECT_EQ(bench.shown()->figures.samples, 0u);
    // A second start is refused, in words.
    bench.apply(StartRace{});
    EXPECT_THAT(bench.message(), HasSubstr("cancel"));
    gate->open();
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.racing(); }));
    EXPECT_EQ(bench.shown()->figures.samples, 14u);
    EXPECT_TRUE(bench.shown()->race.complete);
}

TEST(RaceBench, CancelKeepsWhatIsMeasured) {
    const auto gate = std::make_shared<Gate>();
    RaceBench bench({.runner =
                         [gate] {
                             return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                         },
                     .recorded = {}});
    bench.apply(FindDevice{});
    ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
    choose_two(bench);
    bench.apply(StartRace{});
    ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    EXPECT_FALSE(bench.cancelling());
    bench.apply(CancelRace{});
    EXPECT_TRUE(bench.cancelling()) << "at once, while the launch goes on";
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.racing(); }));
    EXPECT_FALSE(bench.cancelling());
    EXPECT_FALSE(bench.shown()->race.complete);
    EXPECT_EQ(bench.shown()->race.verified.size(), 2u);
    EXPECT_EQ(bench.message(), "");  // asked for, so nothing to say
    // And another race can start.
    gate->open();
    bench.apply(StartRace{});
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.racing(); }));
    EXPECT_TRUE(bench.shown()->race.complete);
}

TEST(RaceBench, GoesAwayInTheMiddleOfARace) {
    const auto gate = std::make_shared<Gate>();
    {
        RaceBench bench({.runner =
                             [gate] {
                                 return FoundRunner{std::make_unique<GatedGpu>(gate), {}};
                             },
                         .recorded = {}});
        bench.apply(FindDevice{});
        ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
        bench.apply(StartRace{});
        ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    }
    EXPECT_EQ(gate.use_count(), 1) << "the runner is gone, too";
}

TEST(RaceBench, ARunnerThatThrowsIsAMessage) {
    RaceBench bench = bench_at_once([]() -> FoundRunner { throw std::runtime_error("no driver"); });
    bench.apply(FindDevice{});
    EXPECT_THAT(bench.device_fault(), HasSubstr("no driver"));
}

}  // namespace
}  // namespace tilereel
