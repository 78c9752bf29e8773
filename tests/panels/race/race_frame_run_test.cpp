// The Race mode, played in process: races that are run, saved, opened and compared.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/race/files/race_file.h"
#include "tests/panels/page_of_words.h"
#include "tests/panels/race/race_window.h"
#include "tests/race/hardware_race.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::race_frame_run_test {
namespace {

TEST(RaceMode, ChoosesWhatRacesNextAndRacesIt) {
    RaceWindow window({.race = std::nullopt});
    EXPECT_FALSE(window.driver.has("race.plot"));
    window.driver.click("race.sides.Next race");
    const RaceRequest& next = window.races().next();
    window.driver.click("race.setup.size.8192");
    EXPECT_EQ(std::ranges::count(next.sizes, ProductSize{8192, 8192, 8192}), 0);
    window.driver.click("race.setup.size.16384");
    EXPECT_EQ(next.sizes.back(), (ProductSize{16384, 16384, 16384}));
    window.driver.click("race.setup.size.1000x3000x700");
    EXPECT_EQ(std::ranges::count(next.sizes, ProductSize{1000, 3000, 700}), 1);
    window.driver.click("race.setup.fewer");
    EXPECT_EQ(next.repeats, 5);
    window.driver.click("race.setup.more");
    EXPECT_EQ(next.repeats, 7);
    window.driver.click("race.setup.warm");
    EXPECT_EQ(next.caches, Caches::kWarm);
    window.driver.click("race.setup.cold");
    EXPECT_EQ(next.caches, Caches::kCold);
    window.driver.click("race.setup.ladder");
    EXPECT_GT(next.contenders.size(), 8u);
    window.driver.click("race.setup.few");
    EXPECT_EQ(next.contenders.size(), 7u);
    window.driver.click("race.setup.cublas");
    EXPECT_EQ(next.contenders.size(), 6u);
    window.driver.click("race.setup.01_naive_by_column.16.0");
    EXPECT_EQ(next.contenders.size(), 7u);
    window.driver.click("race.start");
    ASSERT_NE(window.races().shown(), nullptr);
    EXPECT_TRUE(window.races().shown()->race.complete);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("race.plot"));
}

TEST(RaceMode, EnterStartsARace) {
    RaceWindow window({.race = std::nullopt});
    window.driver.press(Key::kEnter);
    EXPECT_NE(window.races().shown(), nullptr);
}

TEST(RaceMode, OneClickRacesASweep) {
    RaceWindow window;
    window.driver.click("race.plots.Sweep");
    window.driver.click("race.sweep.08_tiled_b_transposed");
    EXPECT_EQ(window.races().shown()->race.request.contenders, sweep_of("08_tiled_b_transposed"));
    window.driver.frames(2);
    window.driver.click("race.sweep.cell.16.1");
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_EQ(window.bench.request().parameters.tile, 16);
    EXPECT_EQ(window.bench.request().parameters.pad, 1);
}

TEST(RaceMode, SavesRaceTableAndPicture) {
    const tests::ScratchFolder folder;
    RaceWindow window({.folder = folder.path()});
    window.driver.click("race.save");
    EXPECT_EQ(folder.file_count(), 0) << "saved without asking";
    ASSERT_TRUE(window.driver.has("save.path"));
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("save.path"));
    EXPECT_EQ(folder.file_count(), 0);
    window.driver.click("race.save");
    window.driver.press(Key::kEnter);
    EXPECT_EQ(folder.file_count(), 1);
    window.driver.click("race.csv");
    window.driver.press(Key::kSelectAll);
    window.driver.type((folder / "mine").string());
    window.driver.click("save.save");
    EXPECT_EQ(folder.file_count(), 2);
    EXPECT_EQ(window.bench.message(), "Saved as " + (folder / "mine.csv").string());
    window.driver.press(Key::kEscape);
    // An existing file is replaced only if the user confirms it.
    const auto written = std::filesystem::last_write_time(folder / "mine.csv");
    window.driver.click("race.csv");
    window.driver.press(Key::kSelectAll);
    window.driver.type((folder / "mine.csv").string());
    window.driver.press(Key::kEnter);
    EXPECT_TRUE(window.driver.has("save.path"));
    EXPECT_EQ(std::filesystem::last_write_time(folder / "mine.csv"), written);
    window.driver.press(Key::kEnter);
    EXPECT_FALSE(window.driver.has("save.path"));
    EXPECT_NE(std::filesystem::last_write_time(folder / "mine.csv"), written);
    window.driver.press(Key::kEscape);
    // Saving to a place that cannot be written leaves no file.
    window.driver.click("race.csv");
    window.driver.press(Key::kSelectAll);
    window.driver.type((folder / "none" / "mine.csv").string());
    window.driver.press(Key::kEnter);
    EXPECT_TRUE(window.driver.has("save.path"));
    window.driver.press(Key::kEscape);
    EXPECT_EQ(folder.file_count(), 2);
    window.driver.click("race.png");
    EXPECT_TRUE(window.of_window.empty());
    window.driver.press(Key::kEnter);
    ASSERT_EQ(window.of_window.size(), 1u);
    ASSERT_TRUE(window.of_window[0].holds<SaveRacePicture>());
    EXPECT_EQ(window.of_window[0].get_if<SaveRacePicture>()->file.extension(), ".png");
    EXPECT_TRUE(window.driver.has("race.picture"));
}

// What is typed at once replaces the name, and neither the folder nor the extension.
TEST(RaceMode, SavingSelectsTheNameOnly) {
    const tests::ScratchFolder folder;
    for (const char* button : {"race.save", "race.csv"}) {
        RaceWindow window({.folder = folder.path()});
        window.driver.click(button);
        window.driver.type("mine");
        for (const DrawnText& text : texts_of([&] { window.driver.frames(2); }))
            EXPECT_EQ(text.text.find("Will be saved as"), std::string::npos) << text.text;
        window.driver.press(Key::kEnter);
    }
    EXPECT_TRUE(std::filesystem::exists(folder / "mine.json"));
    EXPECT_TRUE(std::filesystem::exists(folder / "mine.csv"));
    EXPECT_EQ(folder.file_count(), 2);
}

TEST(RaceMode, OpensARecordedRaceFromTheMenu) {
    const tests::ScratchFolder folder;
    const auto file = folder / "race_H100_2026-11-21T10-00-00Z.json";
    ASSERT_TRUE(write_race(hardware_race(), file).has_value());
    RaceWindow window({.race = std::nullopt, .gpu = false, .files = {file}});
    window.driver.click("chip.race");
    window.driver.click("chip.race.0");
    ASSERT_NE(window.races().shown(), nullptr);
    EXPECT_TRUE(window.races().shown()->race.recorded);
    EXPECT_FALSE(window.driver.has("race.start"));  // there is nothing to race on
    EXPECT_TRUE(window.driver.has("race.save"));
}

// Without a race of one's own, with or without a device, the page opens on the recorded one.
TEST(RaceMode, OpensOnARecordedRace) {
    const tests::ScratchFolder folder;
    const auto file = folder / "race_H100_2026-11-21T10-00-00Z.json";
    ASSERT_TRUE(write_race(hardware_race(), file).has_value());
    for (const bool gpu : {false, true}) {
        RaceWindow window({.race = std::nullopt, .gpu = gpu, .files = {file}});
        ASSERT_NE(window.races().shown(), nullptr);
        EXPECT_TRUE(window.races().shown()->race.recorded);
        EXPECT_TRUE(window.driver.has("race.plot"));
        EXPECT_TRUE(window.driver.has("race.roof.1"));  // small recordings of its kernels are ready
        EXPECT_EQ(window.driver.has("race.start"), gpu);
        if (!gpu) continue;
        window.driver.press(Key::kEnter);
        EXPECT_FALSE(window.races().shown()->race.recorded);
    }
}

// A point of a recorded race opens its replay, even without a device.
TEST(RaceMode, ARecordedPointOpensItsReplayWithoutADevice) {
    const tests::ScratchFolder folder;
    const auto file = folder / "h100.json";
    ASSERT_TRUE(write_race(hardware_race(), file).has_value());
    RaceWindow window({.race = std::nullopt, .gpu = false, .files = {file}});
    window.driver.click("race.roof.5");
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_EQ(window.bench.request().kernel, "08_tiled_b_transposed");
    EXPECT_EQ(window.bench.request().parameters.pad, 0);
    ASSERT_NE(window.bench.replay(), nullptr);
    // From there one key shows the recorded race of it and its counterpart, and says that it is
    // recorded.
    window.driver.press('r');
    ASSERT_NE(window.races().pair(), nullptr);
    ASSERT_TRUE(window.races().pair()->has_race());
    EXPECT_TRUE(window.races().pair()->race.race.recorded);
    EXPECT_TRUE(window.driver.has("race.pair"));
    EXPECT_TRUE(window.driver.has("race.pair.why"));
}

TEST(RaceMode, ComparesWithARecordedRace) {
    const tests::ScratchFolder folder;
    const auto file = folder / "race_H100_2026-11-21T10-00-00Z.json";
    ASSERT_TRUE(write_race(hardware_race(), file).has_value());
    RaceWindow window({.files = {file}});
    window.driver.click("chip.race");
    window.driver.click("chip.race.compare.1");  // the first is the race that is shown
    window.driver.frames(2);
    ASSERT_NE(window.races().compared(), nullptr);
}

TEST(RaceMode, TheStageRacesWhatItShowsAndItsCounterpart) {
    RaceWindow window;
    window.driver.press('1');
    window.bench.apply(Command{
        WatchKernel{"08_tiled_b_transposed", {.m = 32, .n = 32, .k = 32, .tile = 32, .pad = 0}}});
    window.driver.press('r');
    ASSERT_NE(window.races().pair(), nullptr);
    EXPECT_EQ(window.races().pair()->counterpart.pad, 1);
    EXPECT_TRUE(window.races().pair()->has_race());
    EXPECT_TRUE(window.driver.has("race.pair"));
    window.driver.press(Key::kEscape);
    EXPECT_EQ(window.races().pair(), nullptr);
    window.driver.press('r');
    window.driver.click("race.pair.close");
    EXPECT_EQ(window.races().pair(), nullptr);
    window.driver.press('r');
    window.driver.click("race.pair.open");
    EXPECT_EQ(window.bench.view().mode, WindowMode::kRace);
}

TEST(RaceMode, WithoutADeviceNoRaceCanBeStarted) {
    RaceWindow window({.race = std::nullopt, .gpu = false});
    EXPECT_TRUE(window.races().looked_for_device());
    EXPECT_FALSE(window.driver.has("race.start"));
    window.driver.click("race.sides.Next race");
    EXPECT_FALSE(window.driver.has("race.setup.cold"));
}

}  // namespace
}  // namespace tilereel::race_frame_run_test
