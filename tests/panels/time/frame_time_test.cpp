// The page "Where the time goes", played in process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/panels/panel_memory.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/panels/program/program_window.h"

namespace tilereel::frame_time_test {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct TimeWindow : FrameWindow {
    explicit TimeWindow(float width = 1920, float height = 1080)
        : FrameWindow(small_request("09_tiled", 32, 16), width, height) {
        driver.press('5');
        driver.frames(3);
    }
    explicit TimeWindow(WorkbenchOptions options, float width = 1920, float height = 1080)
        : FrameWindow(std::move(options), width, height) {
        driver.press('5');
        driver.frames(3);
    }
    std::vector<std::string> words() {
        std::vector<std::string> all;
        for (const DrawnText& text : texts_of([&] { driver.frame(); })) all.push_back(text.text);
        return all;
    }
};

// 18 GFLOP in 2 ms are 9 TFLOPS, in 1.6 to 2.5 ms 7.2 to 11.25.
TEST(TimePage, SaysAboutAndBetweenAndThatItIsNoMeasurement) {
    TimeWindow window;
    ASSERT_EQ(window.bench.view().mode, WindowMode::kTime);
    const std::vector<std::string> words = window.words();
    for (const char* expected : {"about", "9.0", "TFLOPS", "on an H100", "between 7.2 and 11",
                                 "2.0 ms, between 1.6 and 2.5", "estimated, not measured",
                                 "memory pipe", "88 % busy", "without bank conflicts", "TILE 32"})
        EXPECT_THAT(words, Contains(std::string(expected)));
    EXPECT_TRUE(window.driver.has("time.figure"));
}

// Why PAD can do more than the conflicts cost: the code takes fewer registers, so more blocks fit.
TEST(TimePage, SaysHowManyBlocksFitAfterAChange) {
    TimeWindow window;
    const std::vector<std::string> words = window.words();
    EXPECT_THAT(words, Contains(std::string("blocks of 1,024 threads, 1 an SM")));
    EXPECT_THAT(words, Contains(std::string("longer rows; 3 blocks an SM, not 2")));
}

TEST(TimePage, LinesHaveTheirShares) {
    TimeWindow window;
    const std::vector<std::string> words = window.words();
    EXPECT_THAT(words, Contains(std::string("90 %")));  // line 30
    EXPECT_THAT(words, Contains(HasSubstr("memory pipe")));
}

TEST(TimePage, AClickOnAWhatIfDoesIt) {
    TimeWindow window;
    // TILE 32 is twice as fast: it is the first.
    window.driver.click("time.change.0");
    EXPECT_EQ(window.parameters().tile, 32);
    EXPECT_EQ(window.bench.view().mode, WindowMode::kTime);
}

// "Predict first": until one has chosen, neither the row nor the sentence says which is faster.
TEST(TimePage, AsksFirstWhichIsFaster) {
    for (const auto& [width, height] : {std::pair(1920.0f, 1080.0f), std::pair(1280.0f, 720.0f)}) {
        TimeWindow window(width, height);
        window.driver.press('q');
        window.driver.frames(2);
        const auto times = [&] {
            const std::vector<std::string> words = window.words();
            return std::ranges::count_if(
                words, [](const std::string& word) { return word.starts_with("\xc3\x97"); });
        };
        EXPECT_EQ(times(), 0);
        EXPECT_THAT(window.words(), Not(Contains(HasSubstr("would be about"))));
        for (const char* const choice : {"time.quiz.0", "time.quiz.1", "time.quiz.2"})
            EXPECT_TRUE(window.driver.has(choice));
        window.driver.press('2');
        EXPECT_EQ(window.bench.view().mode, WindowMode::kTime) << "2 is no key of the tabs now";
        EXPECT_THAT(window.words(),
                    Contains(AnyOf(HasSubstr("1 of 1 right"), HasSubstr("0 of 1"))));
        EXPECT_EQ(times(), 1);
        for (int i = 0; i < 20; ++i) {
            window.driver.press(Key::kPageDown);
            window.driver.press('1');
        }
        EXPECT_THAT(window.words(), Contains(HasSubstr("No question is left")));
        window.driver.press(Key::kEscape);
        window.driver.press('2');
        EXPECT_EQ(window.bench.view().mode, WindowMode::kRace);
    }
}

TEST(TimePage, TheKeyboardChoosesAndDoesAWhatIf) {
    TimeWindow window;
    window.driver.press(Key::kTab);
    window.driver.press(Key::kDown);
    window.driver.press(Key::kUp);
    window.driver.press(Key::kEnter);
    window.driver.frames(2);
    EXPECT_EQ(window.parameters().tile, 32);
    window.driver.press(Key::kLeft);
    EXPECT_EQ(window.bench.view().time_size, 1024);
    window.driver.press(Key::kRight);
    window.driver.press(Key::kRight);
    EXPECT_EQ(window.bench.view().time_size, 4096);
    window.driver.press('5');
    window.driver.press('1');
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
}

TEST(TimePage, AMenuChoosesTheSize) {
    TimeWindow window;
    window.driver.click("time.size");
    window.driver.click("time.size.8,192");
    EXPECT_EQ(window.bench.view().time_size, 8192);
}

// An estimate is called one wherever a figure of it stands.
TEST(TimePage, SaysThatItIsEstimatedAtEverySize) {
    for (const Size size : {Size{1280, 720}, Size{1366, 768}, Size{1920, 1080}})
        for (const int text : {14, 28}) {
            TimeWindow window(static_cast<float>(size.width), static_cast<float>(size.height));
            window.bench.apply(SetTextSize{text});
            window.driver.frames(3);
            EXPECT_THAT(window.words(), Contains(std::string("estimated, not measured")))
                << size.width << ", text " << text;
            EXPECT_TRUE(window.driver.has("time.estimated"));
        }
}

TEST(TimePage, ABoundHasNoDiamondAndNoWhatIfs) {
    WorkbenchOptions options{.request = small_request("09_tiled", 32, 16),
                             .trace = {},
                             .playing = false,
                             .record_on_worker = false};
    options.estimate = [](const TimeQuestion& question, RecordProgress*, const EstimateStep&) {
        EstimatedLaunch found = made_up_estimate(question);
        found.estimate.kind = EstimateKind::kAtLeast;
        found.estimate.high = 0;
        found.estimate.why_bound = "bulk copies are not modelled";
        found.changes.clear();
        return Result<EstimatedLaunch>(std::move(found));
    };
    TimeWindow window(std::move(options));
    const std::vector<std::string> words = window.words();
    EXPECT_THAT(words, Contains(std::string("at least")));
    EXPECT_THAT(words, Not(Contains(std::string("about"))));
    EXPECT_FALSE(window.driver.has("time.axis"));
    EXPECT_FALSE(window.driver.has("time.change.0"));
}

TEST(TimePage, ALaunchThatCannotBeEstimatedSaysWhy) {
    WorkbenchOptions options{.request = small_request("09_tiled", 32, 16),
                             .trace = {},
                             .playing = false,
                             .record_on_worker = false};
    options.estimate = [](const TimeQuestion&, RecordProgress*, const EstimateStep&) {
        return Result<EstimatedLaunch>(wrong_call("such a launch has no time"));
    };
    TimeWindow window(std::move(options));
    EXPECT_THAT(window.words(), Contains(std::string("Such a launch has no time.")));
    EXPECT_FALSE(window.driver.has("time.figure"));
}

TEST(TimePage, OfAProgramHasNoSizeToChoose) {
    TimeWindow window(options_for(kSixArrays));
    program::ProgramRequest request;
    request.file = "six.cu";
    window.bench.apply(Command{OpenProgram{request}});
    window.driver.press('5');
    window.driver.frames(3);
    EXPECT_EQ(window.bench.view().mode, WindowMode::kTime);
    EXPECT_FALSE(window.driver.has("time.size"));
    EXPECT_TRUE(window.driver.has("time.figure"));
    EXPECT_THAT(window.words(), Contains(std::string("GB/s")));  // 50 MB in 2 ms
    EXPECT_TRUE(window.driver.has("time.change.1"));
}

// Two orders of the blocks; the waves of the one that is chosen.
TEST(TimePage, ShowsWhatBlocksFindInL2) {
    TimeWindow window(1366, 768);
    window.driver.press('o');
    window.driver.frames(2);
    std::vector<std::string> words = window.words();
    for (const char* const expected : {"as launched", "8 rows at a time", "wave 1 of 16", "blocks"})
        EXPECT_THAT(words, Contains(std::string(expected)));
    for (const char* const name :
         {"time.l2.grid", "time.l2.A", "time.l2.B", "time.l2.order.0", "time.l2.order.1"})
        EXPECT_TRUE(window.driver.has(name)) << name;
    EXPECT_EQ(window.state.panels.parts().time.l2_order, 0u);
    window.driver.press('o');
    EXPECT_EQ(window.state.panels.parts().time.l2_order, 1u);
    window.driver.press('o');
    window.driver.frames(1);
    EXPECT_EQ(window.state.panels.parts().time.l2_order, 0u);
    window.driver.press(']');
    EXPECT_THAT(window.words(), Contains(std::string("wave 2 of 16")));
    for (int i = 0; i < 40; ++i) window.driver.press(']');
    EXPECT_THAT(window.words(), Contains(std::string("wave 16 of 16")));
    for (int i = 0; i < 40; ++i) window.driver.press('[');
    EXPECT_THAT(window.words(), Contains(std::string("wave 1 of 16")));
    window.driver.click("time.l2.next");
    EXPECT_THAT(window.words(), Contains(std::string("wave 2 of 16")));
    window.driver.click("time.l2.order.1");
    EXPECT_EQ(window.state.panels.parts().time.l2_order, 1u);
}

TEST(TimePage, SaysWhyWhatIsInL2IsNotKnown) {
    WorkbenchOptions options{.request = small_request("09_tiled", 32, 16),
                             .trace = {},
                             .playing = false,
                             .record_on_worker = false};
    options.estimate = [](const TimeQuestion& question, RecordProgress*, const EstimateStep&) {
        EstimatedLaunch found = made_up_estimate(question);
        if (question.only_l2) found.why_no_l2 = "its blocks are not alike";
        return Result<EstimatedLaunch>(std::move(found));
    };
    TimeWindow window(std::move(options));
    window.driver.press('o');
    window.driver.frames(2);
    EXPECT_THAT(window.words(), Contains(HasSubstr("is not known: its blocks are not alike.")));
}

// Nothing is cut, overlaps or lies outside, at any size and in every view.
TEST(TimePage, CanBeReadAtEverySize) {
    Faults faults;
    for (const Size size : {Size{1280, 720}, Size{1366, 768}, Size{1920, 1080}, Size{3840, 2160}}) {
        TimeWindow window(static_cast<float>(size.width), static_cast<float>(size.height));
        const Rect screen{0, 0, static_cast<float>(size.width), static_cast<float>(size.height)};
        for (const int text : {14, 20, 28})
            for (const bool presenting : {false, true})
                for (const auto view : {TimeMemory::View::kTime, TimeMemory::View::kChanges,
                                        TimeMemory::View::kLadder, TimeMemory::View::kL2}) {
                    window.bench.apply(SetTextSize{text});
                    if (window.bench.view().presenting != presenting)
                        window.bench.apply(TogglePresenting{});
                    window.state.panels.parts().time.view = view;
                    window.driver.frames(3, 0.5);
                    const auto texts = texts_of([&] { window.driver.frame(); });
                    const Page page{texts, window.look, screen,
                                    std::to_string(size.width) + ", text " + std::to_string(text) +
                                        ", view " + std::to_string(static_cast<int>(view)) +
                                        (presenting ? ", presenting" : "")};
                    page.find(faults);
                }
    }
    faults.report();
}

}  // namespace
}  // namespace tilereel::frame_time_test
