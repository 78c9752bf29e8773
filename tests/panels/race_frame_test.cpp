// The Race mode, played in process: every control asks for what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <thread>

#include "app/race/race_file.h"
#include "app/shell/frame.h"
#include "app/workbench/race_sentence.h"
#include "tests/race/fake_runner.h"
#include "tests/race/hardware_race.h"
#include "tests/trace/scratch_folder.h"
#include "tests/window/driver.h"

namespace tilereel {
namespace {

class FakeGpu : public FakeRunner {
  public:
    RaceMachine machine(const std::atomic<bool>&) override { return hardware_machine(); }
};

struct Given {
    std::optional<Race> race = hardware_race();
    bool gpu = true;
    float width = 1920, height = 1080;
    int text_px = 14;
    std::filesystem::path folder = ".";
    std::vector<std::filesystem::path> files{};
};

struct RaceWindow {
    explicit RaceWindow(Given given = {})
        : bench(options_of(given)),
          driver(given.width, given.height, [this](double seconds) { draw(seconds); }) {
        bench.apply(SetTextSize{given.text_px});
        driver.press('2');
        driver.frames(3);
    }
    static WorkbenchOptions options_of(const Given& given) {
        RunnerFactory factory;
        if (given.gpu) factory = [] { return FoundRunner{std::make_unique<FakeGpu>(), {}}; };
        WorkbenchOptions options;
        options.request.parameters = {.m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0};
        options.playing = false;
        options.record_on_worker = false;
        options.races = std::make_unique<RaceBench>(RaceBenchOptions{.runner = factory,
                                                                     .recorded = given.files,
                                                                     .save_folder = given.folder,
                                                                     .shown = given.race,
                                                                     .on_worker = false});
        return options;
    }
    void draw(double seconds) {
        now += seconds;
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        look = look_of(bench, size.x, size.y, now, seconds);
        draw_frame(bench, state, look);
    }
    [[nodiscard]] const RaceBench& races() const { return bench.races(); }

    Workbench bench;
    FrameState state;
    double now = 0;
    Look look;
    Driver driver;
};

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

Race whole_ladder() {
    Result<Race> race = read_race(std::filesystem::path(TILEREEL_RACES) / "h100_ladder.json");
    EXPECT_TRUE(race);
    return std::move(race).value();
}

// 26 lines: some have a name, none is lost, and every name can be read.
TEST(RaceMode, ALongRaceShowsTheRungsThatTellAndTheReference) {
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
        EXPECT_LE(named, strong + 2);  // and the one looked at with its counterpart
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
    EXPECT_EQ(window.bench.view().mode, WindowMode::kRace) << "its keys are the list's";
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
}

// One sample in four ran while the machine did something else.
Race unsteady_race() {
    Race race = hardware_race();
    race.request.repeats = 4;
    const std::vector<Sample> once = race.samples;
    for (std::uint32_t repeat = 1; repeat < 4; ++repeat)
        for (Sample sample : once) {
            sample.repeat = repeat;
            sample.gflops *= repeat == 1 ? 0.05 : repeat == 2 ? 0.3 : 1.1;
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

// Half of the samples within 20 % of the median, at the least.
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

TEST(RaceMode, NoPointIsFarFromTheMouse) {
    RaceWindow window;
    const Rect plot = window.driver.rect_of("race.plot");
    window.driver.click_at({plot.x + 0.5f * plot.w, plot.bottom() - 3});
    EXPECT_EQ(window.bench.view().mode, WindowMode::kRace);
}

TEST(RaceMode, ARowIsLookedAtAndASizeChosen) {
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
    const auto point = [&] { return window.races().view(); };
    window.driver.click("chip.scale");
    window.driver.click("chip.scale.linear");
    EXPECT_FALSE(point().log_figures);
    EXPECT_FALSE(point().log_sizes);
    window.driver.click("chip.scale");
    window.driver.click("chip.scale.log, N linear");
    EXPECT_TRUE(point().log_figures);
    EXPECT_FALSE(point().log_sizes);
}

TEST(RaceMode, IntensityIsAsCountedOrAsRecorded) {
    RaceWindow window;
    const Rect counted = window.driver.rect_of("race.roof.6");
    window.driver.click("race.intensity.recorded");
    EXPECT_TRUE(window.races().view().recorded_intensity);
    // 01 moves eight times the bytes it asks for of A: its point goes left.
    EXPECT_LT(window.driver.rect_of("race.roof.6").x, counted.x);
}

TEST(RaceMode, APointOfTheRooflineOpensItsReplay) {
    RaceWindow window;
    window.driver.click("race.roof.6");
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_EQ(window.bench.request().kernel, "01_naive_by_column");
}

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

TEST(RaceMode, EnterRaces) {
    RaceWindow window({.race = std::nullopt});
    window.driver.press(Key::kEnter);
    EXPECT_NE(window.races().shown(), nullptr);
}

TEST(RaceMode, ASweepIsOneClickAway) {
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
    const testing::ScratchFolder folder;
    RaceWindow window({.folder = folder.path()});
    window.driver.click("race.save");
    EXPECT_EQ(folder.file_count(), 0) << "asked first";
    ASSERT_TRUE(window.driver.has("save.path"));
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("save.path"));
    EXPECT_EQ(folder.file_count(), 0);
    window.driver.click("race.save");
    window.driver.press(Key::kEnter);
    EXPECT_EQ(folder.file_count(), 1);
    window.driver.click("race.csv");
    window.driver.type((folder / "mine").string());
    window.driver.click("save.save");
    EXPECT_EQ(folder.file_count(), 2);
    EXPECT_EQ(window.bench.message(), "Saved as " + (folder / "mine.csv").string());
    window.driver.press(Key::kEscape);
    // A file that is there is replaced only when that is asked for.
    const auto written = std::filesystem::last_write_time(folder / "mine.csv");
    window.driver.click("race.csv");
    window.driver.type((folder / "mine.csv").string());
    window.driver.press(Key::kEnter);
    EXPECT_TRUE(window.driver.has("save.path"));
    EXPECT_EQ(std::filesystem::last_write_time(folder / "mine.csv"), written);
    window.driver.press(Key::kEnter);
    EXPECT_FALSE(window.driver.has("save.path"));
    EXPECT_NE(std::filesystem::last_write_time(folder / "mine.csv"), written);
    window.driver.press(Key::kEscape);
    // Nothing is saved where nothing can be.
    window.driver.click("race.csv");
    window.driver.type((folder / "none" / "mine.csv").string());
    window.driver.press(Key::kEnter);
    EXPECT_TRUE(window.driver.has("save.path"));
    window.driver.press(Key::kEscape);
    EXPECT_EQ(folder.file_count(), 2);
    window.driver.click("race.png");
    EXPECT_FALSE(window.bench.races().take_picture_request().has_value());
    window.driver.press(Key::kEnter);
    const auto picture = window.bench.races().take_picture_request();
    ASSERT_TRUE(picture.has_value());
    EXPECT_EQ(picture->extension(), ".png");
    EXPECT_TRUE(window.driver.has("race.picture"));
}

TEST(RaceMode, OpensAndComparesRecordedRaces) {
    const testing::ScratchFolder folder;
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
    const testing::ScratchFolder folder;
    const auto file = folder / "race_H100_2026-11-21T10-00-00Z.json";
    ASSERT_TRUE(write_race(hardware_race(), file).has_value());
    for (const bool gpu : {false, true}) {
        RaceWindow window({.race = std::nullopt, .gpu = gpu, .files = {file}});
        ASSERT_NE(window.races().shown(), nullptr);
        EXPECT_TRUE(window.races().shown()->race.recorded);
        EXPECT_TRUE(window.driver.has("race.plot"));
        EXPECT_TRUE(window.driver.has("race.roof.1"));  // its kernels are recorded small by then
        EXPECT_EQ(window.driver.has("race.start"), gpu);
        if (!gpu) continue;
        window.driver.press(Key::kEnter);
        EXPECT_FALSE(window.races().shown()->race.recorded);
    }
}

// A point of a recorded race opens its replay, where nothing can race either.
TEST(RaceMode, ARecordedPointOpensItsReplayWithoutADevice) {
    const testing::ScratchFolder folder;
    const auto file = folder / "h100.json";
    ASSERT_TRUE(write_race(hardware_race(), file).has_value());
    RaceWindow window({.race = std::nullopt, .gpu = false, .files = {file}});
    window.driver.click("race.roof.5");
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_EQ(window.bench.request().kernel, "08_tiled_b_transposed");
    EXPECT_EQ(window.bench.request().parameters.pad, 0);
    ASSERT_NE(window.bench.replay(), nullptr);
    // And from there one key shows what was recorded of it and its counterpart, and says so.
    window.driver.press('r');
    ASSERT_NE(window.races().pair(), nullptr);
    ASSERT_TRUE(window.races().pair()->has_race());
    EXPECT_TRUE(window.races().pair()->race.race.recorded);
    EXPECT_TRUE(window.driver.has("race.pair"));
    EXPECT_TRUE(window.driver.has("race.pair.why"));
}

bool apart(const Rect& a, const Rect& b) {
    return a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
}

// Words of the roofline cover neither each other nor a marker, whatever race, size and text.
void expect_words_apart(const RaceWindow& window, const std::string& where) {
    std::vector<std::pair<std::string, Rect>> words, markers;
    for_each_widget([&](std::string_view name, const Rect& rect) {
        if (name.starts_with("race.roof.label.") || name.starts_with("race.roof.word."))
            words.emplace_back(name, rect);
        else if (name.starts_with("race.roof."))  // twice as wide as what is drawn
            markers.emplace_back(name, rect.inset(rect.w / 4));
    });
    EXPECT_FALSE(words.empty()) << where;
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_TRUE(apart(words[i].second, words[j].second))
                << where << words[i].first << " and " << words[j].first;
        for (const auto& [name, rect] : markers)
            EXPECT_TRUE(apart(words[i].second, rect)) << where << words[i].first << " on " << name;
    }
    EXPECT_FALSE(window.races().busy());
}

TEST(RaceMode, WordsOfTheRooflineStandApart) {
    struct Size {
        float width, height;
        int text_px;
    };
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(TILEREEL_RACES))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    ASSERT_GE(files.size(), 7u);
    for (const auto& file : files) {
        auto race = read_race(file);
        ASSERT_TRUE(race.has_value());
        RaceWindow window({.race = *race});
        for (const Size& size :
             {Size{1280, 720, 14}, {1280, 720, 28}, {1920, 1080, 14}, {1920, 1080, 28}}) {
            window.bench.apply(SetTextSize{size.text_px});
            window.driver.resize(size.width, size.height);
            const std::string where =
                file.stem().string() + " " + std::to_string(size.text_px) + ": ";
            if (window.driver.has("race.tabs.Roofline")) window.driver.click("race.tabs.Roofline");
            for (std::uint32_t s = 0; s < race->request.sizes.size(); ++s) {
                window.bench.apply(Command{RaceAction{SelectSize{s}}});
                for (const bool recorded : {false, true}) {
                    window.bench.apply(Command{RaceAction{SetIntensity{recorded}}});
                    window.driver.frames(2);
                    expect_words_apart(window, where);
                }
            }
        }
    }
}

// Sizes' headings cover neither each other nor the table's other words, and each column is there
// for a size.
TEST(RaceMode, HeadingsOfTheTableStandApart) {
    auto race = read_race(std::filesystem::path(TILEREEL_RACES) / "h100_shapes.json");
    ASSERT_TRUE(race.has_value());
    RaceWindow window({.race = *race});
    for (const float width : {1024.0f, 1280.0f, 1920.0f, 3840.0f})
        for (const int text_px : {14, 20, 28}) {
            window.bench.apply(SetTextSize{text_px});
            window.driver.resize(width, width * 9 / 16);
            if (window.driver.has("race.tabs.Table")) window.driver.click("race.tabs.Table");
            window.driver.frames(2);
            std::vector<std::pair<std::string, Rect>> headings;
            for_each_widget([&](std::string_view name, const Rect& rect) {
                if (name.starts_with("race.heading.")) headings.emplace_back(name, rect);
            });
            const std::string where = std::to_string(width) + " " + std::to_string(text_px) + ": ";
            EXPECT_GE(headings.size(), 2u) << where;
            for (std::size_t i = 0; i < headings.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_TRUE(apart(headings[i].second, headings[j].second))
                        << where << headings[i].first << " and " << headings[j].first;
            for (std::size_t s = 0; s < race->request.sizes.size(); ++s) {
                const std::string column = "race.size." + std::to_string(s);
                if (!window.driver.has(column)) continue;
                window.driver.click(column);
                EXPECT_EQ(window.races().size(), s) << where;
            }
        }
}

// At the size of a lecture hall's screen the one looked at, its counterpart and both roofs have
// names.
TEST(RaceMode, TheRooflineNamesWhatMatters) {
    auto race = read_race(std::filesystem::path(TILEREEL_RACES) / "h100_ladder.json");
    ASSERT_TRUE(race.has_value());
    RaceWindow window({.race = *race});
    for (const char* word : {"sheet.peak", "sheet.bandwidth", "measured.peak", "measured.bandwidth",
                             "reference", "ridge"})
        EXPECT_TRUE(window.driver.has(std::string("race.roof.word.") + word)) << word;
    ASSERT_TRUE(window.races().focus().has_value());
    EXPECT_TRUE(window.driver.has("race.roof.label." + std::to_string(*window.races().focus())));
    std::size_t points = 0;
    for_each_widget([&](std::string_view name, const Rect&) {
        points += name.starts_with("race.roof.") && !name.starts_with("race.roof.label.") &&
                  !name.starts_with("race.roof.word.");
    });
    // All that a trace with their tiles can be made of, none of them recorded by the user.
    const auto recorded =
        std::ranges::count_if(race->request.contenders, [](const Contender& contender) {
            return has_parameters(contender) || is_champion(contender);
        });
    EXPECT_EQ(points, static_cast<std::size_t>(recorded));
    const RaceLines& lines = window.races().view().lines;
    for (std::uint32_t c = 0; c < lines.size(); ++c)
        if (lines.shown(c) == LineShown::kStrong && !is_reference(race->request.contenders[c])) {
            EXPECT_TRUE(window.driver.has("race.roof.label." + std::to_string(c))) << c;
        }
}

TEST(RaceMode, ComparesWithARecordedRace) {
    const testing::ScratchFolder folder;
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

TEST(RaceMode, WithoutADeviceTheWindowSaysSo) {
    RaceWindow window({.race = std::nullopt, .gpu = false});
    EXPECT_TRUE(window.races().looked_for_device());
    EXPECT_FALSE(window.driver.has("race.start"));
    window.driver.click("race.sides.Next race");
    EXPECT_FALSE(window.driver.has("race.setup.cold"));
}

// Where one view at a time fits, every view is one click away.
TEST(RaceMode, SmallWindowsAndLargeTextShowOneViewAtATime) {
    RaceWindow window({.width = 1280, .height = 720, .text_px = 28});
    EXPECT_FALSE(window.driver.has("race.plots.GFLOPS"));
    struct View {
        const char *tab, *shows;
    };
    for (const View& view : {View{"Table", "race.row.0"}, View{"Roofline", "race.roofline"},
                             View{"Speed-up", "race.plot"}, View{"Bandwidth", "race.plot"},
                             View{"Sweep", "race.sweep"}, View{"Occupancy", "race.occupancy"},
                             View{"Next race", "race.setup.cold"}, View{"Run", "race.start"},
                             View{"GFLOPS", "race.plot"}}) {
        window.driver.click(std::string("race.tabs.") + view.tab);
        EXPECT_TRUE(window.driver.has(view.shows)) << view.tab;
    }
}

// Nothing that can be clicked lies outside the window or is too small to hit, whatever its size.
TEST(RaceMode, ControlsAreInsideTheWindow) {
    struct Size {
        float width, height;
        int text_px;
    };
    for (const Size& size : {Size{1280, 720, 14}, Size{1280, 720, 32}, Size{1920, 1080, 14},
                             Size{1920, 1080, 28}, Size{3840, 2160, 14}, Size{3440, 1440, 20}}) {
        RaceWindow window({.width = size.width, .height = size.height, .text_px = size.text_px});
        for_each_widget([&](std::string_view name, const Rect& rect) {
            if (!name.starts_with("race.")) return;
            EXPECT_GE(rect.x, -1) << name << " " << size.width << " " << size.text_px;
            EXPECT_GE(rect.y, -1) << name;
            EXPECT_LE(rect.right(), size.width + 1)
                << name << " " << size.width << " " << size.text_px;
            EXPECT_LE(rect.bottom(), size.height + 1)
                << name << " " << size.height << " " << size.text_px;
            EXPECT_GT(rect.w, 8) << name;
            EXPECT_GT(rect.h, 8) << name;
        });
    }
}

// A race of one kernel that fails, of a size that is not square, and of nothing: every view draws.
TEST(RaceMode, OddRacesDrawInEveryView) {
    Race race = hardware_race();
    race.request.contenders = {{"09_tiled", 32, 0}, {"10_tiled_any_size", 16, 0}};
    race.request.sizes = {{1000, 3000, 700}, {64, 8192, 8192}};
    race.verified.clear();
    race.samples.clear();
    add(race, Verified{.contender = 0, .size = 0, .outcome = Outcome::kSkipped, .sentence = "no"});
    add(race, Verified{.contender = 1, .size = 0, .outcome = Outcome::kWrong, .sentence = "wrong"});
    race.complete = false;
    Race one = race;
    add_samples(one, 1, 1, 123, 3);
    Race none = race;
    none.verified.clear();
    for (const Race& odd : {race, one, none}) {
        RaceWindow window({.race = odd});
        for (const char* tab : {"race.plots.Speed-up", "race.plots.Bandwidth", "race.plots.Sweep",
                                "race.plots.GFLOPS", "race.sides.Occupancy", "race.sides.Roofline"})
            window.driver.click(tab);
        EXPECT_TRUE(window.driver.has("race.plot"));
    }
}

}  // namespace
}  // namespace tilereel
