// The Race mode, played in process: what its plots and its table show, and their controls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "app/workbench/race/race_sentence.h"
#include "tests/panels/page_of_words.h"
#include "tests/panels/race/race_window.h"
#include "tests/race/hardware_race.h"
#include "tests/window/driver.h"
#include "tests/workbench/made_up_estimate.h"

namespace tilereel::race_frame_test {
namespace {

TEST(RaceMode, ShowsPlotTableRunningCardAndRoofline) {
    RaceWindow window;
    for (const char* name :
         {"race.plot", "race.row.0", "race.running", "race.roofline", "sentence"})
        EXPECT_TRUE(window.driver.has(name)) << name;
    EXPECT_EQ(window.races().focus(), 3u);
}

TEST(RaceMode, PlotsAndSidesAreTabs) {
    RaceWindow window;
    window.driver.click("race.plots.Speed-up");
    EXPECT_EQ(window.races().view().plot, RacePlot::kSpeedUp);
    window.driver.click("race.plots.Bandwidth");
    EXPECT_EQ(window.races().view().plot, RacePlot::kBandwidth);
    window.driver.click("race.plots.Sweep");
    EXPECT_EQ(window.races().view().plot, RacePlot::kSweep);
    EXPECT_TRUE(window.driver.has("race.sweep.cell.32.1"));
    window.driver.click("race.plots.GFLOPS");
    EXPECT_EQ(window.races().view().plot, RacePlot::kGflops);
    window.driver.click("race.sides.Occupancy");
    EXPECT_TRUE(window.driver.has("race.occupancy"));
    window.driver.click("race.sides.Next race");
    EXPECT_TRUE(window.driver.has("race.setup.cold"));
    window.driver.click("race.sides.Roofline");
    EXPECT_TRUE(window.driver.has("race.roofline"));
}

TEST(RaceMode, ALineNameShowsThatLineAloneAndAllAgain) {
    RaceWindow window;
    const RaceLines& lines = window.races().view().lines;
    window.driver.click("race.line.1");
    EXPECT_EQ(lines.only(), 1u);
    EXPECT_EQ(lines.count(LineShown::kStrong), 1u);
    EXPECT_FALSE(window.driver.has("race.line.2")) << "the others are thin and have no name";
    window.driver.click("race.line.1");
    EXPECT_EQ(lines.only(), std::nullopt);
    EXPECT_TRUE(window.driver.has("race.line.2"));
}

// A race of the whole ladder: some lines have a name, none is hidden, and every name can be read.
TEST(RaceMode, ALongRaceShowsTheLargestStepsAndTheReference) {
    for (const int text : {14, 28}) {
        RaceWindow window({.race = whole_ladder(), .text_px = text});
        const RaceLines& lines = window.races().view().lines;
        const std::size_t strong = lines.count(LineShown::kStrong);
        EXPECT_GE(strong, 5u);
        EXPECT_LE(strong, 8u);
        EXPECT_EQ(lines.count(LineShown::kHidden), 0u);
        const ShownRace& shown = *window.races().shown();
        EXPECT_EQ(lines.shown(*shown.figures.reference), LineShown::kStrong);
        std::size_t named = 0;
        for (std::uint32_t c = 0; c < lines.size(); ++c) {
            Rect name;
            if (!find_widget("race.line." + std::to_string(c), name)) continue;
            ++named;
            EXPECT_GE(name.h, 0.85f * static_cast<float>(text)) << "text " << text;
        }
        EXPECT_GE(named, strong);
        EXPECT_LE(named, strong + 2);  // also the focused line and its counterpart
    }
}

TEST(RaceMode, LinesAreChosenByKeysAlone) {
    RaceWindow window({.race = whole_ladder(), .width = 1366, .height = 768});
    const RaceLines& lines = window.races().view().lines;
    window.driver.press('l');
    ASSERT_TRUE(window.driver.has("race.lines.row.0"));
    window.driver.press('n');
    EXPECT_EQ(lines.count(LineShown::kStrong), 0u);
    window.driver.press(Key::kDown);
    window.driver.press(' ');
    EXPECT_EQ(lines.shown(1), LineShown::kStrong);
    window.driver.press('h');
    EXPECT_EQ(lines.shown(1), LineShown::kHidden);
    window.driver.press(Key::kDown);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(lines.only(), 2u);
    window.driver.press('t');
    EXPECT_GE(lines.count(LineShown::kStrong), 5u);
    EXPECT_EQ(window.bench.view().mode, WindowMode::kRace) << "the list takes the keys";
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("race.lines.row.0"));
}

TEST(RaceMode, TheTableMakesALineStrongOrThin) {
    RaceWindow window({.race = whole_ladder()});
    const RaceLines& lines = window.races().view().lines;
    std::uint32_t thin = 0;
    for (std::uint32_t c = 0; c < lines.size(); ++c)
        if (Rect mark; lines.shown(c) == LineShown::kThin &&
                       find_widget("race.table.line." + std::to_string(c), mark) && mark.h > 20)
            thin = c;
    window.driver.click("race.table.line." + std::to_string(thin));
    EXPECT_EQ(lines.shown(thin), LineShown::kStrong);
    window.driver.click("race.table.line." + std::to_string(thin));
    EXPECT_EQ(lines.shown(thin), LineShown::kThin);
}

// At text 28 all type is 14 pixels larger than at 14, so the dot is about twice as large.
TEST(RaceMode, TheMarksOfThinLinesGrowWithTheText) {
    const auto dot = [](int text_px) {
        RaceWindow window({.race = whole_ladder(), .text_px = text_px});
        if (window.driver.has("race.tabs.Table")) window.driver.click("race.tabs.Table");
        window.driver.frames(2);
        const RaceLines& lines = window.races().view().lines;
        for (std::uint32_t c = 0; c < lines.size(); ++c)
            if (Rect mark; find_widget("race.table.thin." + std::to_string(c), mark)) return mark.w;
        return 0.0f;
    };
    EXPECT_GE(dot(14), 5);
    EXPECT_GE(dot(28), 1.8f * dot(14));
}

// Two samples in four ran while the machine did something else.
Race unsteady_race() {
    Race race = hardware_race();
    race.request.repeats = 4;
    const std::vector<Sample> once = race.samples;
    for (std::uint32_t repeat = 1; repeat < 4; ++repeat)
        for (Sample sample : once) {
            sample.repeat = repeat;
            sample.rate *= repeat == 1 ? 0.05 : repeat == 2 ? 0.3 : 1.1;
            race.samples.push_back(sample);
        }
    return race;
}

TEST(RaceMode, ShowsTheSpreadAndSaysWhereItMakesAFigureUncertain) {
    RaceWindow window({.race = unsteady_race()});
    const auto words = [](const Sentence& sentence) {
        std::string all;
        for (const auto& part : sentence) all += part.text;
        return all;
    };
    const ShownRace& shown = *window.races().shown();
    const std::uint32_t size = *window.races().size();
    EXPECT_TRUE(shown.figures.unsteady(*shown.figures.reference, size));
    bool whisker = false, uncertain = false;
    for_each_widget([&](std::string_view name, const Rect&) {
        whisker |= name.starts_with("race.spread.");
        uncertain |= name.starts_with("race.uncertain.");
    });
    EXPECT_TRUE(whisker);
    EXPECT_TRUE(uncertain);
    const auto sentence = [&](const Race& race) {
        const RaceFigures figures = figures_of(race);
        return words(race_sentence(
            {.race = race, .figures = figures, .chosen = 1, .running = false, .counts = {}}));
    };
    EXPECT_THAT(sentence(shown.race), ::testing::HasSubstr("varied between"));
    EXPECT_EQ(sentence(hardware_race()).find("varied"), std::string::npos);
}

// A spread is large if the middle half of the samples spans more than 20 % of the median.
TEST(RaceMode, ASpreadIsLargeBeyondAFifthOfTheMedian) {
    EXPECT_FALSE(spread_is_large(statistics_of({100})));
    EXPECT_FALSE(spread_is_large(statistics_of({91, 100, 109})));
    EXPECT_FALSE(spread_is_large(statistics_of({6, 100, 100, 100, 100, 100, 101})));
    EXPECT_TRUE(spread_is_large(statistics_of({70, 100, 130})));
    EXPECT_TRUE(spread_is_large(statistics_of({6, 20, 90, 120, 127})));
}

// A point lies where the axes say: a larger size further to the right, a faster kernel higher up.
TEST(RaceMode, APointShowsItsValuesAndOpensItsReplay) {
    RaceWindow window;
    const Rect plot = window.driver.rect_of("race.plot");
    // N from 256 / 1.12 to 8192 x 1.12, GFLOPS from 200 to 100,000, both logarithmic.
    const auto at = [&](double n, double gflops) {
        const double x = std::log(n / (256 / 1.12)) / std::log(8192 * 1.12 * 1.12 / 256);
        const double y = std::log(gflops / 200) / std::log(500.0);
        return ImVec2{plot.x + plot.w * static_cast<float>(x),
                      plot.bottom() - plot.h * static_cast<float>(y)};
    };
    window.driver.move_to(at(1024, 1608));
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("race.point.5.1"));
    window.driver.click_at(at(1024, 1608));
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_EQ(window.bench.request().kernel, "08_tiled_b_transposed");
    EXPECT_EQ(window.bench.request().parameters.tile, 32);
    EXPECT_EQ(window.bench.request().parameters.pad, 0);
    EXPECT_LE(window.bench.request().parameters.n, 64);
}

TEST(RaceMode, AClickFarFromEveryPointOpensNothing) {
    RaceWindow window;
    const Rect plot = window.driver.rect_of("race.plot");
    window.driver.click_at({plot.x + 0.5f * plot.w, plot.bottom() - 3});
    EXPECT_EQ(window.bench.view().mode, WindowMode::kRace);
}

TEST(RaceMode, ClicksChooseARowAndASize) {
    RaceWindow window;
    window.driver.click("race.row.4");
    EXPECT_EQ(window.races().focus(), 4u);
    window.driver.click("race.row.4");
    EXPECT_EQ(window.races().focus(), 3u);
    window.driver.click("race.size.1");
    EXPECT_EQ(window.races().size(), 1u);
}

TEST(RaceMode, AxesAreLogarithmicOrLinear) {
    RaceWindow window;
    const auto view = [&] { return window.races().view(); };
    window.driver.click("chip.scale");
    window.driver.click("chip.scale.linear");
    EXPECT_FALSE(view().log_figures);
    EXPECT_FALSE(view().log_sizes);
    window.driver.click("chip.scale");
    window.driver.click("chip.scale.log, N linear");
    EXPECT_TRUE(view().log_figures);
    EXPECT_FALSE(view().log_sizes);
}

TEST(RaceMode, IntensityIsAsCountedOrAsRecorded) {
    RaceWindow window;
    const Rect counted = window.driver.rect_of("race.roof.6");
    window.driver.click("race.intensity.recorded");
    EXPECT_TRUE(window.races().view().recorded_intensity);
    // 01 moves eight times the bytes that its loads of A request, so its point moves left.
    EXPECT_LT(window.driver.rect_of("race.roof.6").x, counted.x);
}

TEST(RaceMode, APointOfTheRooflineOpensItsReplay) {
    RaceWindow window;
    window.driver.click("race.roof.6");
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_EQ(window.bench.request().kernel, "01_naive_by_column");
}

// Frames until the watched launch is estimated; false after half a minute.
bool wait_for_estimate(RaceWindow& window) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    do {
        window.driver.frames(2);
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (window.bench.time_answer() == nullptr || window.bench.estimating() ||
             window.bench.recording_progress() != nullptr);
    window.driver.frames(2);
    return true;
}

// 09 with TILE 4 was not raced. 2 * 2,048^3 FLOP in 2 ms are 8,590 GFLOPS.
TEST(RaceMode, AnEstimateIsHollowWhereNothingWasMeasured) {
    RaceWindow window({.estimate = made_up_estimates()});
    ASSERT_TRUE(wait_for_estimate(window));
    EXPECT_TRUE(window.driver.has("race.estimate"));
    const auto texts = texts_of([&] { window.driver.frames(1); });
    EXPECT_TRUE(std::ranges::any_of(texts, [](const DrawnText& text) {
        return text.text.find("about 8,600, estimated") != std::string::npos;
    }));
    // 09 with TILE 16 was raced at 1,024.
    window.bench.apply(SetTimeSize{1024});
    window.bench.apply(SetParameters{{.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0}});
    ASSERT_TRUE(wait_for_estimate(window));
    ASSERT_EQ(window.bench.timed_request()->parameters.tile, 16);
    EXPECT_FALSE(window.driver.has("race.estimate"));
}

}  // namespace
}  // namespace tilereel::race_frame_test
