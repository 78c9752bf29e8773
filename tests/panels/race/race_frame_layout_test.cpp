// The Race mode, played in process: nothing overlaps or lies outside, at any size and text height.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/race/race_views.h"
#include "app/race/files/race_file.h"
#include "app/workbench/race/race_sentence.h"
#include "tests/panels/page_of_words.h"
#include "tests/panels/race/race_window.h"
#include "tests/race/hardware_race.h"

namespace tilereel::race_frame_layout_test {
namespace {

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

// Nothing in the table of a race of rectangular sizes is cut or overlaps, and each heading chooses
// its size.
TEST(RaceMode, HeadingsOfTheTableStandApart) {
    auto race = read_race(std::filesystem::path(TILEREEL_RACES) / "h100_shapes.json");
    ASSERT_TRUE(race.has_value());
    RaceWindow window({.race = *race});
    Faults faults;
    for (const float width : {1024.0f, 1280.0f, 1920.0f, 3840.0f})
        for (const int text_px : {14, 20, 28}) {
            window.bench.apply(SetTextSize{text_px});
            window.driver.resize(width, width * 9 / 16);
            if (window.driver.has("race.tabs.Table")) window.driver.click("race.tabs.Table");
            window.driver.frames(2);
            std::size_t chosen = 0;
            const std::string where = std::to_string(width) + " " + std::to_string(text_px) + ": ";
            const auto texts = texts_of([&] { window.driver.frame(); });
            const Page page{texts, window.look, {0, 0, width, width * 9 / 16}, where};
            page.find(faults);
            for (std::size_t s = 0; s < race->request.sizes.size(); ++s) {
                const std::string column = "race.size." + std::to_string(s);
                if (!window.driver.has(column)) continue;
                window.driver.click(column);
                EXPECT_EQ(window.races().size(), s) << where;
                ++chosen;
            }
            EXPECT_GE(chosen, 2u) << where;
        }
    faults.report();
}

// At the size of a lecture hall's screen the focused contender, its counterpart and both roofs have
// names.
TEST(RaceMode, TheRooflineNamesWhatMatters) {
    auto race = read_race(std::filesystem::path(TILEREEL_RACES) / "h100_ladder.json");
    ASSERT_TRUE(race.has_value());
    RaceWindow window({.race = *race});
    for (const char* word : {"sheet", "measured", "reference", "ridge"})
        EXPECT_TRUE(window.driver.has(std::string("race.roof.word.") + word)) << word;
    ASSERT_TRUE(window.races().focus().has_value());
    EXPECT_TRUE(window.driver.has("race.roof.label." + std::to_string(*window.races().focus())));
    std::size_t points = 0;
    for_each_widget([&](std::string_view name, const Rect&) {
        points += name.starts_with("race.roof.") && !name.starts_with("race.roof.label.") &&
                  !name.starts_with("race.roof.word.");
    });
    // Every contender but the references has a point, although the user has recorded none.
    const auto recorded =
        std::ranges::count_if(race->request.contenders, [](const Contender& contender) {
            return has_parameters(contender) || chooses_tiles(contender);
        });
    EXPECT_EQ(points, static_cast<std::size_t>(recorded));
    const RaceLines& lines = window.races().view().lines;
    for (std::uint32_t c = 0; c < lines.size(); ++c)
        if (lines.shown(c) == LineShown::kStrong && !is_reference(race->request.contenders[c])) {
            EXPECT_TRUE(window.driver.has("race.roof.label." + std::to_string(c))) << c;
        }
}

// In the window of a notebook nothing of the race's main page has to be scrolled to: all columns of
// the table are in sight, and the key of the roofline names every strong mark.
TEST(RaceMode, ANotebookShowsAllColumnsAndTheWholeKey) {
    auto race = read_race(std::filesystem::path(TILEREEL_RACES) / "h100_ladder.json");
    ASSERT_TRUE(race.has_value());
    RaceWindow window({.race = *race, .width = 1366, .height = 768});
    const auto texts = texts_of([&] { window.driver.frame(); });
    const auto seen = [&texts](std::string_view words) {
        return std::ranges::any_of(texts, [&](const DrawnText& t) { return t.text == words; });
    };
    EXPECT_FALSE(window.driver.has("scrolls.sideways"));
    EXPECT_TRUE(seen("spread"));
    for (const char* word : {"sheet", "measured", "reference", "ridge"})
        EXPECT_TRUE(window.driver.has(std::string("race.roof.word.") + word)) << word;
    const Rect key = window.driver.rect_of("race.roofline");
    const RaceLines& lines = window.races().view().lines;
    for (std::uint32_t c = 0; c < lines.size(); ++c) {
        const Contender& contender = race->request.contenders[c];
        if (lines.shown(c) != LineShown::kStrong || is_reference(contender)) continue;
        const std::string label = "race.roof.label." + std::to_string(c);
        EXPECT_LE(window.driver.rect_of(label).bottom(), key.bottom() + 1) << label;
        EXPECT_TRUE(std::ranges::any_of(texts, [&](const DrawnText& t) {
            return key.contains(t.box.center()) && t.text == short_name(contender);
        })) << short_name(contender);
    }
}

// In the smallest window the table has a smaller font instead of columns out of sight.
TEST(RaceMode, TheSmallestWindowShowsAllColumns) {
    auto race = read_race(std::filesystem::path(TILEREEL_RACES) / "h100_ladder.json");
    ASSERT_TRUE(race.has_value());
    RaceWindow window({.race = *race, .width = 1280, .height = 720});
    const auto texts = texts_of([&] { window.driver.frame(); });
    EXPECT_FALSE(window.driver.has("scrolls.sideways"));
    const auto spread = std::ranges::find(texts, "spread", &DrawnText::text);
    ASSERT_NE(spread, texts.end());
    EXPECT_LE(spread->box.right(), spread->clip.right());
    EXPECT_GE(spread->px, 13);
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
        const Rect start = window.driver.rect_of("race.start");
        EXPECT_TRUE(window.driver.rect_of("race.strip").contains(start.center())) << view.tab;
        EXPECT_LE(start.bottom(), 720) << view.tab;
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

// Races with sizes that are not square: without samples, with samples of one kernel only, and
// without any result. Every view draws.
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
}  // namespace tilereel::race_frame_layout_test
