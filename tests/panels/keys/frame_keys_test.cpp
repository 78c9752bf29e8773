// Keys of the window do what the help says.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "app/replay/places/navigation.h"
#include "app/workbench/comparison.h"
#include "tests/panels/frame_window.h"

namespace tilereel::frame_keys_test {
namespace {

TEST(Keys, SpacePlaysAndPauses) {
    FrameWindow window;
    window.driver.press(' ');
    EXPECT_TRUE(window.bench.playing());
    window.driver.press(' ');
    EXPECT_FALSE(window.bench.playing());
}

TEST(Keys, ArrowsStepAndShiftedArrowsGoByPhase) {
    FrameWindow window;
    const Replay& replay = *window.bench.replay();
    window.driver.press(Key::kRight);
    window.finish_step();
    EXPECT_EQ(window.tick(), next_tick(replay, StepUnit::kRequest, 0));
    window.driver.press(Key::kLeft);
    EXPECT_EQ(window.tick(), 0u);
    window.driver.press(Key::kRight, true);
    window.finish_step();
    EXPECT_EQ(window.tick(), next_tick(replay, StepUnit::kPhase, 0));
    window.driver.press(Key::kLeft, true);
    EXPECT_EQ(window.tick(), 0u);
}

// The parts of a phase are load, barrier, compute, barrier. With Shift, the keys go by phases.
TEST(Keys, PageDownAndUpGoByPartsAndWithShiftByPhases) {
    FrameWindow window;
    const Replay& replay = *window.bench.replay();
    const auto barrier = static_cast<double>(replay.schedule().barriers[0].at);
    window.driver.press(Key::kPageDown);
    EXPECT_TRUE(window.bench.moving());
    EXPECT_LT(window.bench.position(), barrier - 1);  // it plays up to there
    window.finish_step();
    EXPECT_LT(window.bench.position(), barrier);
    EXPECT_EQ(window.tick(), replay.schedule().barriers[0].at - 1);
    EXPECT_EQ(replay.state().part, Part::kLoad);
    window.driver.press(Key::kPageDown);
    window.finish_step();
    EXPECT_EQ(window.bench.position(), barrier);
    EXPECT_EQ(replay.state().part, Part::kCompute);
    window.driver.press(Key::kPageUp);
    window.driver.press(Key::kPageUp);
    EXPECT_EQ(window.tick(), 0u);
    const Tick phase = next_tick(replay, StepUnit::kPhase, 0);
    window.driver.press(Key::kPageDown, true);
    window.finish_step();
    EXPECT_EQ(window.tick(), phase);
    window.driver.press(Key::kPageUp, true);
    EXPECT_EQ(window.tick(), 0u);
}

// Besides Page Down and Page Up, a presenter's remote sends F5 to start (the presenter's view, see
// frame_lesson_test.cpp), B or the full stop for a dark screen (only in that view), and Escape to
// end.
TEST(Keys, APresentersRemoteDoesNoHarm) {
    FrameWindow window;
    const Recording* const recording = window.bench.recording();
    window.driver.press(Key::kPageDown);
    window.finish_step();
    const double position = window.bench.position();
    for (const char key : {'b', '.'}) window.driver.press(key);
    window.driver.press(Key::kEscape);
    window.driver.press(Key::kEscape);
    EXPECT_EQ(window.bench.recording(), recording);
    EXPECT_EQ(window.bench.recording()->trace->launch.removed_barrier, 0u);
    EXPECT_EQ(window.bench.position(), position);
    EXPECT_FALSE(window.bench.playing());
    EXPECT_FALSE(window.driver.has("message.dismiss"));
}

// 09 has neither fragments nor variables. A key without an effect would seem to be broken.
TEST(Keys, WithoutAnythingToDoSayWhy) {
    for (const char key : {'m', 'x', 'v'}) {
        FrameWindow window;
        window.driver.press(key);
        EXPECT_TRUE(window.driver.has("message.dismiss")) << key;
    }
}

TEST(Keys, NGoesFromConflictToConflict) {
    FrameWindow window(small_request("08_tiled_b_transposed", 32, 32));
    const Replay& replay = *window.bench.replay();
    std::vector<Tick> conflicts;
    for (std::uint32_t i = 0; i < replay.schedule().steps.size(); ++i)
        if (replay.schedule().costs[i].wavefronts > replay.schedule().costs[i].ideal_wavefronts)
            conflicts.push_back(replay.schedule().steps[i].begin);
    ASSERT_GT(conflicts.size(), 3u);
    for (int i = 0; i < 3; ++i) {
        window.driver.press('n');
        EXPECT_EQ(window.tick(), conflicts[i]);
    }
    window.driver.press('n', true);
    EXPECT_EQ(window.tick(), conflicts[1]);
    window.driver.press(Key::kEnd);
    window.driver.press('n');
    EXPECT_TRUE(window.driver.has("message.dismiss"));  // no conflict follows
    EXPECT_EQ(window.tick(), replay.schedule().ticks);
}

TEST(Keys, GGoesFromBarrierToBarrier) {
    FrameWindow window;
    const std::vector<Barrier>& barriers = window.bench.replay()->schedule().barriers;
    for (int i = 0; i < 3; ++i) {
        window.driver.press('g');
        EXPECT_EQ(window.tick(), barriers[i].at - 1);
    }
    window.driver.press('g', true);
    EXPECT_EQ(window.tick(), barriers[1].at - 1);
}

TEST(Keys, EGoesFromFindingToFinding) {
    FrameWindow window(small_request("09_tiled", 16, 8));
    window.driver.press('e');
    EXPECT_TRUE(window.driver.has("message.dismiss"));  // there is no finding
    window.driver.press(Key::kEscape);
    window.driver.press('b', true);  // leaves out a barrier
    window.driver.press(Key::kHome);
    const std::vector<Finding>& findings = window.bench.recording()->findings;
    ASSERT_FALSE(findings.empty());
    const auto place = [&] {
        const FindingScene* const scene = window.bench.finding_scene();
        const bool warning =
            scene == nullptr || findings[scene->finding].severity == Severity::kWarning;
        return std::tuple(warning, window.bench.replay()->block(), window.bench.position());
    };
    std::vector<decltype(place())> places;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        window.driver.press('e');
        if (window.driver.has("message.dismiss")) break;  // there are no more
        places.push_back(place());
    }
    // Between different warps the race is an error, within a warp a warning.
    EXPECT_FALSE(std::get<0>(places.front())) << "the first press shows an error";
    EXPECT_TRUE(std::get<0>(places.back()));
    EXPECT_TRUE(std::ranges::is_sorted(places));
    ASSERT_GE(places.size(), 2u);
    window.driver.press('e', true);
    EXPECT_LT(place(), places.back());
    while (!window.driver.has("message.dismiss")) window.driver.press('e', true);
    EXPECT_EQ(place(), places.front());
}

// What a page does not show, Esc does not end there: a comparison, for example, on the Race page.
TEST(Keys, EscapeEndsOnlyWhatIsSeen) {
    FrameWindow window;
    Subject side = side_of(window.bench);
    side.kernel = "02_naive";
    window.bench.apply(Commands{Compare{{}, side}, ChooseWarp{1}});
    window.driver.frames(3);
    for (const char page : {'2', '4'}) {
        window.driver.press(page);
        for (int i = 0; i < 3; ++i) window.driver.press(Key::kEscape);
        window.driver.press('1');
        EXPECT_TRUE(window.bench.comparing()) << page;
        EXPECT_EQ(window.bench.watched_thread().chosen_warp(), 1u) << page;
    }
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.bench.comparing());
}

TEST(Keys, APlaysOnePhaseAgainAndAgain) {
    FrameWindow window;
    window.driver.press('a');
    EXPECT_TRUE(window.bench.looping());
    window.driver.press(' ');
    const Tick phase = next_tick(*window.bench.replay(), StepUnit::kPhase, 0);
    for (int i = 0; i < 100; ++i) {
        window.driver.frame(0.2);
        ASSERT_LT(window.tick(), phase);
    }
    window.driver.press('a');
    EXPECT_FALSE(window.bench.looping());
}

TEST(Keys, ShiftHomeGoesBackToTheOpening) {
    FrameWindow window(small_request("08_tiled_b_transposed", 32, 32));
    window.driver.press('p');
    window.driver.press(Key::kEnd);
    window.driver.press(Key::kHome, true);
    EXPECT_EQ(window.bench.recording()->trace->launch.pad, 0u);
    EXPECT_EQ(window.tick(), 0u);
}

TEST(Keys, HomeAndEnd) {
    FrameWindow window;
    window.driver.press(Key::kEnd);
    EXPECT_EQ(window.tick(), window.bench.replay()->schedule().ticks);
    window.driver.press(Key::kHome);
    EXPECT_EQ(window.tick(), 0u);
}

TEST(Keys, BracketsChangeTheSpeed) {
    FrameWindow window;
    const double before = window.bench.speed();
    window.driver.press(']');
    EXPECT_GT(window.bench.speed(), before);
    window.driver.press('[');
    window.driver.press('[');
    EXPECT_LT(window.bench.speed(), before);
}

TEST(Keys, PSwitchesThePadding) {
    FrameWindow window(small_request("08_tiled_b_transposed", 32, 32));
    window.driver.press('p');
    EXPECT_EQ(window.bench.recording()->trace->launch.pad, 1u);
    EXPECT_EQ(window.bench.before().label, "PAD 0");
    window.driver.press('p');
    EXPECT_EQ(window.bench.recording()->trace->launch.pad, 0u);
}

TEST(Keys, EscapeClosesANotice) {
    FrameWindow window(small_request("02_naive"));
    window.driver.press('b', true);  // 02 naive has no barrier
    EXPECT_TRUE(window.driver.has("message.dismiss"));
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("message.dismiss"));
}

TEST(Keys, ANoticeGoesByItself) {
    FrameWindow window(small_request("02_naive"));
    window.driver.press('b', true);
    window.driver.frames(10, 1.0);
    EXPECT_FALSE(window.driver.has("message.dismiss"));
}

TEST(Keys, ThemeTextSizeAndFullScreen) {
    FrameWindow window;
    const ViewState& view = window.bench.view();
    window.driver.press('t');
    EXPECT_TRUE(view.light);
    window.driver.press('+');
    EXPECT_GT(view.text_px, 14);
    window.driver.press('-');
    EXPECT_EQ(view.text_px, 14);
    window.driver.press('f');
    EXPECT_TRUE(view.full_screen);
    window.driver.press(Key::kF11);
    EXPECT_FALSE(view.full_screen);
}

TEST(Keys, DigitsChooseTheMode) {
    FrameWindow window;
    for (const char digit : {'2', '1'}) {
        window.driver.press(digit);
        EXPECT_EQ(window.bench.view().mode, digit == '1' ? WindowMode::kReplay : WindowMode::kRace);
    }
}

// 6 has no function. C only opens the menu of comparisons.
TEST(Keys, SixAndCNeitherChangeTheModeNorShowAMessage) {
    FrameWindow window;
    for (const char key : {'6', 'c'}) {
        window.driver.press(key);
        EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
        EXPECT_FALSE(window.driver.has("message.dismiss"));
    }
}

TEST(Keys, ReplayKeysDoNothingWhileAnotherModeOrTheHelpIsShown) {
    FrameWindow window;
    window.driver.press('2');
    window.driver.press(Key::kPageDown);
    window.driver.press(' ');
    EXPECT_EQ(window.tick(), 0u);
    EXPECT_FALSE(window.bench.playing());
    window.driver.press('1');
    window.driver.press('?');
    window.driver.press(Key::kPageDown);
    EXPECT_EQ(window.tick(), 0u);
}

TEST(Keys, HelpOpensAndEscapeClosesIt) {
    FrameWindow window;
    window.driver.press('?');
    EXPECT_TRUE(window.bench.view().help);
    EXPECT_TRUE(window.driver.has("help.close"));
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.bench.view().help);
}

TEST(Keys, AHeldKeyRepeatsStepsButNotSwitches) {
    FrameWindow window;
    push_key({Key::kRight, 0, false, false});
    push_key({Key::kRight, 0, false, true});
    push_key({Key::kRight, 0, false, true});
    window.driver.frame();
    window.finish_step();
    EXPECT_EQ(window.tick(), window.bench.replay()->schedule().steps[3].begin);
    push_key({Key::kCharacter, U't', false, false});
    push_key({Key::kCharacter, U't', false, true});
    window.driver.frame();
    EXPECT_TRUE(window.bench.view().light);
}

// 18 at TILE 32 has two warps.
TEST(Keys, WAndLChooseAWarpAndALaneAndEscapeUndoesIt) {
    FrameWindow window(small_request("18_warp_tiled", 32, 32));
    const WatchedThread& lanes = window.bench.watched_thread();
    EXPECT_EQ(lanes.chosen_warp(), std::nullopt);
    for (const std::uint32_t warp : {0u, 1u, 0u}) {
        window.driver.press('w');
        window.driver.frames(2);
        EXPECT_EQ(lanes.chosen_warp(), warp);
    }
    window.driver.press('l');
    window.driver.frames(2);
    EXPECT_EQ(lanes.lane(), 1u);
    window.driver.press(Key::kEscape);
    window.driver.frames(2);
    EXPECT_EQ(lanes.chosen_warp(), std::nullopt);
}

TEST(Keys, OShowsWhichElementASharedCellHolds) {
    FrameWindow window(small_request("16_vectorized", 16, 16));
    window.driver.press('o');
    window.driver.frames(2);
    EXPECT_EQ(window.bench.view().names_elements, true);
    window.driver.press('o');
    window.driver.frames(2);
    EXPECT_EQ(window.bench.view().names_elements, false);
}

}  // namespace
}  // namespace tilereel::frame_keys_test
