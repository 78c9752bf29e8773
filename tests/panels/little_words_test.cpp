// Small words that contradicted the picture, looked for in every kernel, lesson and page.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "app/lesson/read_lesson.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/panels/program/program_window.h"
#include "tests/panels/race/race_window.h"
#include "tests/trace/program_traces.h"

namespace tilereel::little_words_test {
namespace {

using Texts = std::vector<DrawnText>;

// What must never stand on any page.
void expect_no_slip(const Texts& texts, const std::string& where) {
    static const std::regex number("N = [0-9]{4,}");               // "N = 4,096" elsewhere
    static const std::regex file("(^|[ (])(tests|app)/[a-z_]+/");  // of the source tree
    for (const DrawnText& text : texts) {
        EXPECT_FALSE(std::regex_search(text.text, number)) << where << ": " << text.text;
        EXPECT_FALSE(std::regex_search(text.text, file)) << where << ": " << text.text;
        EXPECT_NE(text.text, "all (0)") << where << ": cut words of a control";
    }
}

bool has_sums(const Replay& replay) {
    return std::ranges::any_of(replay.state().sums,
                               [](const PartialSum& sum) { return sum.multiply_adds > 0; });
}

// The caption of C, and the sentence, at one moment.
void expect_true_captions(const Texts& texts, const Replay& replay, const std::string& where) {
    const bool alone = replay.trace().launch.block.count() <= kWarpSize;
    for (const DrawnText& text : texts) {
        const bool after_none = text.text.find("after 0 of") != std::string::npos;
        EXPECT_FALSE(after_none && has_sums(replay)) << where << ": " << text.text;
        const bool others = text.text.find("other warps") != std::string::npos;
        EXPECT_FALSE(others && alone) << where << ": one warp has no others: " << text.text;
    }
}

TEST(LittleWords, OfEveryKernelAgreeWithThePicture) {
    FrameWindow window(small_request("09_tiled", 16, 4), 1280, 720);
    for (const KernelInfo& kernel : catalog()) {
        window.bench.apply(Command{SetKernel{std::string(kernel.id)}});
        window.driver.frames(2);
        const Replay* const replay = window.bench.replay();
        ASSERT_NE(replay, nullptr) << kernel.id;
        const auto ticks = static_cast<double>(replay->schedule().ticks);
        for (int i = 0; i <= 5; ++i) {
            window.bench.apply(Command{SeekTo{ticks * i / 5, false}});
            const std::string where = std::string(kernel.id) + " " + std::to_string(i);
            const Texts texts = texts_of([&] { window.driver.frame(); });
            expect_no_slip(texts, where);
            expect_true_captions(texts, *window.bench.replay(), where);
        }
    }
}

// Blocks of one warp: a copy is for the other lanes.
TEST(LittleWords, ABlockOfOneWarpHasNoOtherWarps) {
    FrameWindow window(small_request("09_tiled", 8, 4), 1280, 720);
    const Replay& replay = *window.bench.replay();
    ASSERT_LE(replay.trace().launch.block.count(), kWarpSize);
    for (const Step& step : replay.schedule().steps) {
        window.bench.apply(Command{SeekTo{static_cast<double>(step.begin), false}});
        expect_true_captions(texts_of([&] { window.driver.frame(); }), *window.bench.replay(),
                             std::to_string(step.begin));
    }
}

TEST(LittleWords, OfEveryLessonAgreeWithItsText) {
    WorkbenchOptions options{
        .request = small_request(), .trace = {}, .playing = false, .record_on_worker = false};
    LessonBenchOptions lessons{.on_thread = false,
                               .offered = lessons_in(TILEREEL_SOURCE_DIR "/assets/lessons")};
    lessons.tools.race = TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json";
    options.lessons = std::make_unique<LessonBench>(std::move(lessons));
    FrameWindow window(std::move(options), 1280, 720);
    for (const std::filesystem::path& file : window.bench.lessons().offered()) {
        window.bench.apply(Command{OpenLesson{file}});
        window.driver.frames(3);
        const OpenedLesson& lesson = *window.bench.lessons().lesson();
        for (std::size_t last = 100; lesson.scene * 100 + lesson.beat != last;) {
            last = lesson.scene * 100 + lesson.beat;
            const std::string where = file.stem().string() + " " + std::to_string(last);
            const Texts texts = texts_of([&] { window.driver.frame(2.0); });
            expect_no_slip(texts, where);
            if (lesson.prepared_scene().trace != nullptr)
                expect_true_captions(texts, *window.bench.replay(), where);
            window.driver.press(Key::kPageDown);
            window.driver.frames(3, 4.0);
        }
    }
}

TEST(LittleWords, OfEveryProgramAndPage) {
    for (const Program& program : kPrograms) {
        FrameWindow window(options_for(program), 1280, 720);
        window.bench.apply(OpenProgram{});
        window.driver.frames(4);
        expect_no_slip(texts_of([&] { window.driver.frame(); }), program.array);
        window.driver.press('?');
        expect_no_slip(texts_of([&] { window.driver.frame(); }), "help");
    }
    RaceWindow race({.race = whole_ladder(), .width = 1280, .height = 720, .text_px = 28});
    for (const char* tab :
         {"Table", "Roofline", "Speed-up", "Bandwidth", "Sweep", "Occupancy", "Next race", "Run"}) {
        race.driver.click(std::string("race.tabs.") + tab);
        expect_no_slip(texts_of([&] { race.driver.frame(); }), tab);
    }
}

// The sentence of a race names the kernel whose recording has the conflicts, whatever the replay
// shows.
TEST(LittleWords, AConflictIsOfTheKernelThatHasIt) {
    RaceWindow window({.race = whole_ladder()});
    window.bench.apply(Command{WatchKernel{"09_tiled", {.m = 16, .n = 16, .k = 16, .tile = 8}}});
    window.driver.press('2');
    window.driver.frames(4);
    for (const DrawnText& text : texts_of([&] { window.driver.frame(); }))
        EXPECT_EQ(text.text.find("seen in the replay"), std::string::npos) << text.text;
}

// Constant memory is read address by address (CUDA C++ Programming Guide, "Constant Memory"). It
// has no banks, and what it moves is not counted in sectors.
TEST(LittleWords, OfConstantMemoryAreAddressesAndNoBanksOrSectors) {
    FrameWindow window(WorkbenchOptions{.request = small_request(),
                                        .trace = tests::stencil_trace(),
                                        .playing = false,
                                        .record_on_worker = false},
                       1280, 720);  // where the counters have a tab of their own
    const Replay& replay = *window.bench.replay();
    const Trace& trace = replay.trace();
    const auto is_constant = [&](const Step& step) {
        const ArrayId array = trace.sites[step.site].array;
        return array != kNoArray && trace.arrays[array].space == Space::kConstant;
    };
    const std::vector<Step>& steps = replay.schedule().steps;
    const auto step = std::ranges::find_if(steps, is_constant);
    ASSERT_NE(step, steps.end());
    window.bench.apply(Command{SeekTo{static_cast<double>(step->begin), false}});
    window.driver.frames(2);
    const Texts texts = texts_of([&] { window.driver.frame(); });
    const auto count = [&](std::string_view words) {
        return std::ranges::count_if(texts,
                                     [&](const DrawnText& text) { return text.text == words; });
    };
    EXPECT_GE(count("address"), 2) << "on the stage and above the table of lanes";
    EXPECT_EQ(count("bytes asked"), 2);
    EXPECT_GE(count("read"), 1) << "a column of the table of lanes";
    for (const char* wrong : {"wavefronts", "banks", "sector", "sectors", "lines", "bytes used"})
        EXPECT_EQ(count(wrong), 0) << wrong;
}

}  // namespace
}  // namespace tilereel::little_words_test
