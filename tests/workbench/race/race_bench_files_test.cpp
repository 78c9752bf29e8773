// Recorded races: the one that is shown first, and those that are opened, saved and compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "app/race/files/race_file.h"
#include "app/workbench/race/kept_races.h"
#include "tests/trace/scratch_folder.h"
#include "tests/workbench/fake_gpu_bench.h"

namespace tilereel::race_bench_files_test {
namespace {

using ::testing::HasSubstr;

TEST(RaceBench, WithoutADeviceItSaysWhyAndOpensRecordedRaces) {
    const tests::ScratchFolder folder;
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
    const tests::ScratchFolder folder;
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

TEST(RaceBench, AFileThatIsNoRaceIsAMessageAndChangesNothing) {
    const tests::ScratchFolder folder;
    const auto path = folder / "no.json";
    std::ofstream(path) << "{}";
    RaceBench bench = bench_at_once();
    bench.apply(OpenRace{path});
    EXPECT_EQ(bench.shown(), nullptr);
    EXPECT_NE(bench.message(), "");
    EXPECT_FALSE(bench.busy());
}

TEST(RaceBench, SavesOpensAndComparesRaces) {
    const tests::ScratchFolder folder;
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
    const tests::ScratchFolder first, second;
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

// Without being saved, for the next start of the program.
TEST(KeptRaces, AreThoseThatRanHere) {
    const tests::ScratchFolder folder;
    const auto kept = folder / "races";
    {
        RaceBench bench({.runner = fake_gpu(), .kept_folder = kept, .on_worker = false});
        choose_two(bench);
        bench.apply(StartRace{});
        EXPECT_EQ(bench.message(), "");
        ASSERT_EQ(kept_races(kept).size(), 1u);
        EXPECT_THAT(bench.files(), ::testing::Contains(kept_races(kept).front()));
        bench.apply(OpenRace{bench.files().front()});
        EXPECT_EQ(kept_races(kept).size(), 1u) << "a recorded race is not kept again";
    }
    const Result<Race> race = read_race(kept_races(kept).front());
    ASSERT_TRUE(race);
    EXPECT_EQ(race->samples.size(), 14u);
    EXPECT_TRUE(race->complete);
}

// As when the window is closed meanwhile.
TEST(KeptRaces, ARaceThatIsCutOffIsKeptAsFarAsItCame) {
    const tests::ScratchFolder folder;
    const auto gate = std::make_shared<Gate>();
    struct SlowThirdLaunch : GatedGpu {
        using GatedGpu::GatedGpu;
        int launches = 0;
        Result<double> time(const Contender& contender, int count,
                            const std::atomic<bool>& cancel) override {
            return ++launches < 6 ? FakeGpu::time(contender, count, cancel)
                                  : GatedGpu::time(contender, count, cancel);
        }
    };
    {
        RaceBench bench({.runner =
                             [gate] {
                                 return FoundRunner{std::make_unique<SlowThirdLaunch>(gate), {}};
                             },
                         .kept_folder = folder.path(),
                         .on_worker = true});
        bench.apply(FindDevice{});
        ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
        choose_two(bench);
        bench.apply(StartRace{});
        ASSERT_TRUE(frames_until(bench, [&] {
            return bench.shown() != nullptr && !bench.shown()->race.samples.empty();
        }));
    }
    ASSERT_EQ(kept_races(folder.path()).size(), 1u);
    const Result<Race> race = read_race(kept_races(folder.path()).front());
    ASSERT_TRUE(race);
    EXPECT_FALSE(race->complete);
    EXPECT_FALSE(race->samples.empty());
}

TEST(KeptRaces, OnlyTheLatestStayAndWhatTheUserPutThere) {
    const tests::ScratchFolder folder;
    Race race = hardware_race();
    const std::filesystem::path users[] = {folder.path() / "lecture.json",
                                           folder.path() / "kept_lecture.json",
                                           folder.path() / "kept_notes.json"};
    ASSERT_TRUE(write_race(race, users[0]));
    ASSERT_TRUE(write_race(race, users[1]));
    std::ofstream(users[2]) << "notes";
    for (const std::filesystem::path& path : users)  // older than the kept ones
        std::filesystem::last_write_time(
            path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    for (int second = 10; second < 25; ++second) {
        race.date = "2026-11-21T10:00:" + std::to_string(second) + "Z";
        ASSERT_TRUE(keep_race(race, folder.path()));
    }
    for (const std::filesystem::path& path : users)
        EXPECT_TRUE(std::filesystem::exists(path)) << path;
    EXPECT_EQ(kept_races(folder.path()).size(), kMostKeptRaces + 2);
}

}  // namespace
}  // namespace tilereel::race_bench_files_test
