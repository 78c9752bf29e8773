// The kernel of the open program on the Race page, played in process.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/panels/page_of_words.h"
#include "tests/panels/race/race_window.h"
#include "tests/trace/program_traces.h"
#include "tests/trace/scratch_folder.h"
#include "tests/workbench/fake_own_tools.h"

namespace tilereel::race_own_frame_test {
namespace {

RaceWindowOptions with_program(OwnLog& log) {
    RaceWindowOptions options;
    options.race = std::nullopt;
    options.own = fake_own_tools(log);
    options.program = tests::reduction_trace();
    return options;
}

bool draws(RaceWindow& window, const std::string& words) {
    const auto texts = texts_of([&] { window.driver.frames(1); });
    return std::ranges::any_of(
        texts, [&](const DrawnText& text) { return text.text.find(words) != std::string::npos; });
}

// By keyboard alone: from the replay to a race of the shown program's kernel.
TEST(RaceOwnPage, RRacesTheKernelOfTheProgram) {
    OwnLog log;
    RaceWindow window(with_program(log));
    window.driver.press('1');
    window.driver.press('r');
    EXPECT_EQ(window.bench.view().mode, WindowMode::kRace);
    ASSERT_NE(window.races().shown(), nullptr) << window.bench.message();
    EXPECT_TRUE(std::ranges::any_of(window.races().shown()->race.request.contenders, is_own));
    EXPECT_EQ(log.prepared.size(), 1u);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("race.plot"));
    window.driver.press('r');
    EXPECT_EQ(log.prepared.size(), 2u);
}

TEST(RaceOwnPage, ItsLaunchIsTyped) {
    for (const auto& [width, height] : {std::pair(1920.0f, 1080.0f), std::pair(1280.0f, 720.0f)}) {
        OwnLog log;
        RaceWindowOptions options = with_program(log);
        options.width = width;
        options.height = height;
        RaceWindow window(std::move(options));
        EXPECT_EQ(window.races().own()->call(), kOwnCall);
        window.driver.press('c');
        window.driver.frames(3);
        window.driver.press(Key::kSelectAll);
        window.driver.type("mine<<<1, 32>>>(A, B, C, N)");
        window.driver.press(Key::kEnter);
        EXPECT_EQ(window.races().own()->call(), "mine<<<1, 32>>>(A, B, C, N)") << width;
        // Escape leaves it as it was.
        window.driver.press('c');
        window.driver.frames(3);
        window.driver.type("x");
        window.driver.press(Key::kEscape);
        EXPECT_EQ(window.races().own()->call(), "mine<<<1, 32>>>(A, B, C, N)") << width;
        window.driver.frames(1);
        window.driver.press('r');
        ASSERT_EQ(log.prepared.size(), 1u);
        EXPECT_EQ(log.prepared[0].text, "mine<<<1, 32>>>(A, B, C, N)");
    }
}

TEST(RaceOwnPage, TheButtonsDoTheSame) {
    OwnLog log;
    RaceWindow window(with_program(log));
    window.driver.click("race.sides.Next race");
    window.driver.click("race.own");
    EXPECT_TRUE(std::ranges::any_of(window.races().next().contenders, is_own));
    window.driver.click("race.own.race");
    EXPECT_EQ(log.prepared.size(), 1u);
    window.driver.click("race.own.start");
    EXPECT_EQ(log.prepared.size(), 2u);
}

TEST(RaceOwnPage, AMistakeOfTheCompilersIsEditedAtItsLine) {
    const tests::ScratchFolder folder;
    OwnLog log;
    RaceWindowOptions options = with_program(log);
    options.program_file = folder / "own.cu";
    std::ofstream(options.program_file) << "// one\n__global__ void f() {\n    x = 1;\n}\n";
    log.refused = {{"own.cu", 3, 0, "identifier \"x\" is undefined"}};
    RaceWindow window(std::move(options));
    window.driver.click("race.sides.Next race");
    window.driver.press('r');
    window.driver.frames(2);
    EXPECT_TRUE(draws(window, "undefined"));
    window.driver.click("race.own.error.0");
    window.driver.frames(3);
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_TRUE(window.driver.has("source.edit"));
}

TEST(RaceOwnPage, WithoutAGpuASentenceSaysWhatIsMissing) {
    OwnLog log;
    RaceWindowOptions options = with_program(log);
    options.gpu = false;
    RaceWindow window(std::move(options));
    window.driver.click("race.sides.Next race");
    EXPECT_TRUE(draws(window, "the kernel of own.cu"));
    window.driver.press('r');
    EXPECT_EQ(window.bench.message(), window.races().why_own_cannot());
    EXPECT_FALSE(window.bench.message().empty());
    EXPECT_TRUE(log.prepared.empty());
}

TEST(RaceOwnPage, WhatIsNoProductHasPlotsOfItsOwn) {
    OwnLog log;
    log.is_product = false;
    RaceWindow window(with_program(log));
    window.driver.press('r');
    window.driver.frames(2);
    ASSERT_NE(window.races().shown(), nullptr);
    EXPECT_TRUE(window.driver.has("race.plots.GB/s"));
    EXPECT_TRUE(window.driver.has("race.plots.Time"));
    EXPECT_FALSE(window.driver.has("race.plots.Speed-up"));
    EXPECT_FALSE(window.driver.has("race.sides.Roofline"));
    EXPECT_TRUE(draws(window, "measured copy"));
    EXPECT_TRUE(draws(window, "compulsory traffic"));
    window.driver.click("race.plots.Time");
    EXPECT_TRUE(draws(window, "microseconds of a launch"));
    EXPECT_FALSE(draws(window, "GFLOPS"));
}

// Nothing is cut, overlaps or lies outside, with and without a result.
TEST(RaceOwnPage, ItsWordsStandApart) {
    for (const bool product : {true, false})
        for (const auto& [width, height] :
             {std::pair(1920.0f, 1080.0f), std::pair(1366.0f, 768.0f), std::pair(1280.0f, 720.0f)})
            for (const int text_px : {14, 28}) {
                OwnLog log;
                log.is_product = product;
                RaceWindowOptions options = with_program(log);
                options.width = width;
                options.height = height;
                options.text_px = text_px;
                RaceWindow window(std::move(options));
                const std::string where = std::to_string(width) + " at " + std::to_string(text_px);
                window.bench.apply(RaceAction{ShowRaceSide{RaceSide::kSetup}});
                for (const RaceTab tab : {RaceTab::kNextRace, RaceTab::kGflops, RaceTab::kTable,
                                          RaceTab::kTime, RaceTab::kRun}) {
                    window.bench.apply(RaceAction{ShowRaceTab{tab}});
                    if (tab == RaceTab::kGflops) window.driver.press('r');
                    window.driver.frames(2);
                    Faults faults;
                    const auto texts = texts_of([&] { window.driver.frames(1); });
                    Page{texts,
                         window.look,
                         {0, 0, width, height},
                         where + ", view " + std::to_string(static_cast<int>(tab))}
                        .find(faults);
                    faults.report();
                }
            }
}

}  // namespace
}  // namespace tilereel::race_own_frame_test
